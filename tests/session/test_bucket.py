"""Requests over S3 that are signed beforehand."""

from __future__ import annotations

import time

from radoscope.session.bucket import Keys, presigned


def test_a_request_is_signed_as_in_the_example_of_amazons_documentation() -> None:
    keys = Keys("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    at = time.strptime("20130524T000000Z", "%Y%m%dT%H%M%SZ")
    host = "examplebucket.s3.amazonaws.com"
    signed = presigned(keys, "GET", host, "/test.txt", at, region="us-east-1", valid_s=86400)
    assert signed.startswith("/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&")
    assert signed.endswith("X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    assert keys.secret not in signed
