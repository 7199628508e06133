"""How a run that is asked to end, ends."""

from __future__ import annotations

import signal

import pytest

from radoscope.cli.measuring import stopping
from radoscope.errors import Interrupted, RadoscopeError, SiteError


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_what_is_interrupted_before_it_measured_ends_with_the_code_of_the_signal(
    number: signal.Signals, code: int
) -> None:
    with pytest.raises(RadoscopeError) as caught, stopping() as (stop, _):
        signal.raise_signal(number)
        assert stop.is_set()
        raise Interrupted("interrupted while preparing")
    assert caught.value.exit_code == code


def test_an_error_of_another_kind_keeps_its_code() -> None:
    with pytest.raises(SiteError) as caught, stopping():
        signal.raise_signal(signal.SIGTERM)
        raise SiteError("the cluster is gone")
    assert caught.value.exit_code == 3
