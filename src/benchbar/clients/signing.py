"""Signs requests to Amazon Bedrock in version 4 of its signature, where no key is shown."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint

Signer = Callable[[str, bytes, Mapping[str, str]], dict[str, str]]
"""The headers of a request to this address with this body, and the signature among them."""
_SERVICE = "bedrock"
_HOST = re.compile(r"bedrock-runtime(?:-fips)?\.([a-z0-9-]{4,32})\.amazonaws\.com(?:\.cn)?")


def signer_of(endpoint: Endpoint) -> Signer | None:
    """What signs the endpoint's requests with the credentials of AWS's usual places; None where a key is shown instead.

    Raises:
        UserError: botocore is not installed, or there are no credentials, or the region is not known.
    """
    if "Authorization" in endpoint.headers():
        return None
    try:
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.session import Session
        from yarl import URL
    except ImportError as error:
        raise UserError(
            "requests to Bedrock are signed by botocore, which is not installed: `pip install 'benchbar[bedrock]'`, or put a"
            " Bedrock API key into AWS_BEARER_TOKEN_BEDROCK"
        ) from error
    # Variables, profile, container and machine, as in every program of AWS.
    credentials = Session().get_credentials()
    if credentials is None:
        raise UserError(
            "no credentials of AWS: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile"
        )
    region = _region(endpoint.base_url)

    def signed(url: str, body: bytes, headers: Mapping[str, str]) -> dict[str, str]:
        # As it will be sent: the client writes some signs of a path in another way, and the signature covers the path.
        request = AWSRequest(method="POST", url=str(URL(url)), data=body, headers=dict(headers))
        SigV4Auth(credentials.get_frozen_credentials(), _SERVICE, region).add_auth(request)
        return dict(request.headers.items())

    return signed


def _region(base_url: str) -> str:
    """Of the address, else of the environment: a signature holds in one region."""
    named = _HOST.fullmatch(urlsplit(base_url).hostname or "")
    region = named[1] if named else os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or ""
    if not region:
        raise UserError(f"the region of {base_url} is not known: set AWS_REGION")
    return region
