"""radoscope serve: the laboratory in a browser."""

from __future__ import annotations

import click

from radoscope.cli.options import Named, target_options

# The server is imported within the function: --help needs none of it.


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=7480, show_default=True, help="0 takes a free one.")
@click.option("--listen", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="An IP address of this host.")
@target_options("conf", "user", "keyring")
def command(port: int, listen: str, named: Named) -> None:
    """Open the laboratory in a browser: paste, library, measure, what if, lab.

    Prints one address with a secret token; whoever opens it can do everything here that you can. Ctrl-C stops the
    server; running studies continue. With --conf the pages can measure that cluster, too.
    """
    from radoscope.serve.app import run

    run(listen, port, click.echo, _cluster(named))


def _cluster(named: Named) -> tuple[str, ...]:
    """The words with which a study is started on the user's own cluster; none without --conf."""
    target = named.target()
    if target.conf is None:
        return ()
    key = ("--keyring", str(target.keyring)) if target.keyring else ()
    return ("--conf", str(target.conf), "--id", target.user.removeprefix("client."), *key)
