"""The OpenID Connect provider, asked over HTTP: authorization code with PKCE, and every word of its token checked."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from benchbar.web.oidc import OidcError, OidcSettings, secure

if TYPE_CHECKING:
    import httpx2
    from authlib.integrations.httpx_client import OAuth2Client
    from joserfc.jwk import KeySetSerialization

# Signatures of a private key alone. With HS256 the public key, which everybody can read, would serve as the secret, and
# "none" is no signature at all.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
SECONDS = 5.0
"""For one request: a person is waiting, and holds a thread of ours."""
# Settings, keys and tokens are some kilobytes.
MAX_ANSWER = 1_000_000
FRESH = 3600.0
"""Seconds for which settings and keys are taken as read; a token of a new key has them read again."""
# Else each click while the provider is down would hold a thread until the time is over.
WAIT_AFTER_FAILURE = 10.0
# Clocks of two servers differ by seconds; a minute is what most clients allow.
LEEWAY = 60
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True, slots=True)
class Secrets:
    """What belongs to one attempt to sign in, and is known to this server alone until it is used."""

    state: str
    nonce: str
    verifier: str
    """Of PKCE: 43 to 128 letters, of which the provider learns the digest first."""


class Provider:
    """One provider; used by many threads."""

    def __init__(self, settings: OidcSettings, secret: str) -> None:
        """Nothing is asked yet; ``secret`` is the client's, empty for a public client."""
        self.settings, self._secret = settings, secret
        self._lock = threading.Lock()
        self._metadata: dict[str, Any] = {}
        self._keys: KeySetSerialization = {"keys": []}
        self._read_at = 0.0
        self._failure: tuple[float, OidcError] | None = None

    def authorization_url(self, secrets: Secrets) -> str:
        """Where the browser is sent to sign in."""
        with self._client() as client:
            metadata, _ = self._known(client)
            url, _ = client.create_authorization_url(
                metadata["authorization_endpoint"],
                state=secrets.state,
                code_verifier=secrets.verifier,
                nonce=secrets.nonce,
            )
            return str(url)

    def claims(self, code: str, secrets: Secrets) -> Mapping[str, Any]:
        """What the provider says of whoever came back with a code.

        Raises:
            OidcError: the provider cannot be reached, does not take the code, or its token is not what it has to be.
        """
        with self._client() as client:
            metadata, _ = self._known(client)
            token = self._token(client, metadata["token_endpoint"], code, secrets)
            claims = self._checked(client, token, secrets.nonce)
            wanted = {"email", self.settings.person_claim, self.settings.role_claim.partition(".")[0]} - {"", *claims}
            # Several providers keep tokens small, and tell mail address and groups at an address of their own alone.
            if wanted and (userinfo := metadata.get("userinfo_endpoint")):
                claims = self._more(client, str(userinfo), token, claims)
            return claims

    @contextmanager
    def _client(self) -> Iterator[OAuth2Client]:
        import httpx2
        from authlib.integrations.httpx_client import OAuth2Client

        settings = self.settings
        client = OAuth2Client(
            settings.client_id,
            self._secret or None,
            scope=" ".join(settings.scopes),
            redirect_uri=settings.redirect,
            code_challenge_method="S256",
            timeout=SECONDS,
            # An answer of bounded length could else unpack to a thousand times of it.
            headers={"accept-encoding": "identity"},
            event_hooks={"response": [_bounded]},
        )
        try:
            with client:
                yield client
        except httpx2.HTTPError as error:
            raise self._unreachable(str(error) or type(error).__name__) from error
        # Not JSON, no UTF-8, or not an object.
        except ValueError as error:
            raise OidcError("no_provider", issuer=settings.issuer, cause=str(error)) from error

    def _unreachable(self, cause: str) -> OidcError:
        return OidcError("unreachable", issuer=self.settings.issuer, cause=cause)

    def _known(self, client: OAuth2Client, *, anew: bool = False) -> tuple[dict[str, Any], KeySetSerialization]:
        """The provider's settings and keys."""
        with self._lock:
            now = time.monotonic()
            if self._failure and now < self._failure[0] + WAIT_AFTER_FAILURE:
                raise self._failure[1]
            if anew or not self._metadata or now > self._read_at + FRESH:
                try:
                    self._metadata, self._keys = self._read(client)
                except Exception as error:
                    known = error if isinstance(error, OidcError) else self._unreachable(str(error))
                    self._failure = (now, known)
                    raise known from error
                self._read_at, self._failure = now, None
            return self._metadata, self._keys

    def _read(self, client: OAuth2Client) -> tuple[dict[str, Any], KeySetSerialization]:
        issuer = self.settings.issuer
        metadata = self._json(client, issuer.rstrip("/") + "/.well-known/openid-configuration")
        if metadata.get("issuer") != issuer:
            raise OidcError("other_issuer", issuer=issuer, found=str(metadata.get("issuer")))
        for name in ENDPOINTS:
            if not secure(str(metadata.get(name, ""))):
                raise OidcError("no_provider", issuer=issuer, cause=f"{name}: {metadata.get(name, '–')}")
        return metadata, cast("KeySetSerialization", self._json(client, metadata["jwks_uri"]))

    def _json(self, client: OAuth2Client, url: str, **options: Any) -> dict[str, Any]:
        answer = client.request("GET", url, **options or {"withhold_token": True})
        if answer.status_code != 200:
            raise self._unreachable(f"{url}: HTTP {answer.status_code}")
        found = answer.json()
        if not isinstance(found, dict):
            raise OidcError("no_provider", issuer=self.settings.issuer, cause=url)
        return found

    def _token(self, client: OAuth2Client, url: str, code: str, secrets: Secrets) -> Mapping[str, Any]:
        from authlib.integrations.base_client import OAuthError

        settings = self.settings
        try:
            found: Mapping[str, Any] = client.fetch_token(
                url, grant_type="authorization_code", code=code, code_verifier=secrets.verifier
            )
        except OAuthError as error:
            named = {"issuer": settings.issuer, "code": str(error.error)}
            if error.error in {"invalid_client", "unauthorized_client"}:
                variable = settings.client_secret_env or "–"
                raise OidcError("client", **named, client=settings.client_id, variable=variable) from error
            raise OidcError("code", **named, redirect=settings.redirect) from error
        return found

    def _checked(self, client: OAuth2Client, token: Mapping[str, Any], nonce: str) -> Mapping[str, Any]:
        """The claims of the ID token, whose signature, issuer, audience, time and nonce are right."""
        from authlib.oidc.core import CodeIDToken
        from joserfc.errors import ClaimError, ExpiredTokenError, InvalidKeyIdError, JoseError

        issuer, client_id = self.settings.issuer, self.settings.client_id
        # The audience is asked for by name: the library is content with a foreign one where `azp` is ours.
        options = {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}}
        params = {"nonce": nonce, "client_id": client_id, "access_token": token.get("access_token")}
        try:
            try:
                read = self._decoded(client, token)
            except InvalidKeyIdError:
                # The provider may have changed its keys since they were read.
                read = self._decoded(client, token, anew=True)
            claims = CodeIDToken(read.claims, read.header, options, params)
            claims.validate(leeway=LEEWAY)
        except ExpiredTokenError as error:
            raise OidcError("expired", issuer=issuer) from error
        except ClaimError as error:
            key = {"aud": "audience", "azp": "audience", "nonce": "nonce"}.get(error.claim, "claim")
            raise OidcError(key, issuer=issuer, claim=error.claim, client=client_id) from error
        except JoseError as error:
            raise OidcError("signature", issuer=issuer, cause=error.error) from error
        if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= 255:
            raise OidcError("claim", issuer=issuer, claim="sub", client=client_id)
        return dict(claims)

    def _decoded(self, client: OAuth2Client, token: Mapping[str, Any], *, anew: bool = False) -> Any:
        from joserfc import jwt
        from joserfc.jwk import KeySet

        _, keys = self._known(client, anew=anew)
        return jwt.decode(
            str(token.get("id_token", "")),
            KeySet.import_key_set(keys),
            algorithms=ALGORITHMS,
        )

    def _more(
        self, client: OAuth2Client, url: str, token: Mapping[str, Any], claims: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        if not secure(url):
            raise OidcError("no_provider", issuer=self.settings.issuer, cause=url)
        bearer = {"authorization": f"Bearer {token.get('access_token', '')}"}
        found = self._json(client, url, withhold_token=True, headers=bearer)
        # The answer is not signed: of another person it would lend their mail address to this one.
        if found.get("sub") != claims["sub"]:
            raise OidcError("claim", issuer=self.settings.issuer, claim="sub", client=self.settings.client_id)
        return {**found, **claims}


def _bounded(answer: httpx2.Response) -> None:
    """Read an answer to its end, but not beyond the limit: it need not state its length, or the true one."""
    import httpx2

    parts: list[bytes] = []
    left = MAX_ANSWER
    stream = answer.stream
    for part in cast("Iterable[bytes]", stream):
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise ValueError(f"{answer.url}: more than {MAX_ANSWER} bytes")
    cast("httpx2.SyncByteStream", stream).close()
    answer.stream = httpx2.ByteStream(b"".join(parts))
