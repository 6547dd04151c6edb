"""A small OpenID Connect provider: discovery, keys, authorization code with PKCE, signed tokens; and each of its faults.

It signs with `cryptography` alone, so that the library that checks is not the one that signs.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from support.threaded_server import Quiet, ThreadedServer

SECRET = "the client's secret of this test"
CLIENT = "benchbar"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """A private key and its public half."""

    def __init__(self) -> None:
        self.id = secrets.token_hex(4)
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def public(self) -> dict[str, str]:
        numbers = self._key.public_key().public_numbers()
        n, e = (encoded(one.to_bytes((one.bit_length() + 7) // 8, "big")) for one in (numbers.n, numbers.e))
        return {"kty": "RSA", "kid": self.id, "use": "sig", "alg": "RS256", "n": n, "e": e}

    def signed(self, text: bytes) -> bytes:
        return self._key.sign(text, padding.PKCS1v15(), hashes.SHA256())


@cache
def key(number: int) -> Key:
    """Made once: a key of this size takes as long as all the rest of a test."""
    return Key()


class OidcProvider(ThreadedServer):
    """Signs in whoever ``person`` is, without asking; listens in a thread of its own."""

    def __init__(self, redirect: str) -> None:
        """``redirect`` is the one address that is registered for the client."""
        self.redirect = redirect
        self.person: dict[str, Any] = {"sub": "u-1", "email": "anna@firm.example", "email_verified": True}
        """What is said of the person: claims of the ID token."""
        self.small_tokens = False
        """Whether mail address and the like are told at userinfo alone."""
        self.fault = ""
        self.requests: list[str] = []
        self.key, self._other = key(0), key(1)
        self._codes: dict[str, dict[str, str]] = {}
        self._bearers: dict[str, dict[str, Any]] = {}
        self.used_codes: list[str] = []
        owner = self

        class Handler(Quiet, BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner._answer(self, b"")

            def do_POST(self) -> None:
                owner._answer(self, self.rfile.read(int(self.headers["Content-Length"])))

        super().__init__(Handler)
        self.issuer = f"http://127.0.0.1:{self.port}/firm"

    def _answer(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        parts = urlsplit(request.path)
        self.requests.append(parts.path)
        fields = {name: values[0] for name, values in parse_qs(body.decode() or parts.query).items()}
        if self.fault == "down":
            return self._send(request, 503, {})
        if self.fault == "endless" and "jwks" in parts.path:
            return self._send(request, 200, {"keys": [{"kty": "RSA", "x": "a" * 1_100_000}]})
        if parts.path == "/firm/.well-known/openid-configuration":
            return self._send(request, 200, self._metadata())
        if parts.path == "/firm/jwks":
            return self._send(request, 200, {"keys": [self.key.public()]})
        if parts.path == "/firm/authorize":
            return self._authorize(request, fields)
        if parts.path == "/firm/token":
            status, answer = self._token(request.headers.get("Authorization", ""), fields)
            return self._send(request, status, answer)
        if parts.path == "/firm/userinfo":
            claims = self._bearers.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
            other = {"sub": "somebody else"} if self.fault == "userinfo of another" else {}
            return self._send(request, 401 if claims is None else 200, {**(claims or {}), **other})
        return self._send(request, 404, {})

    def _metadata(self) -> dict[str, Any]:
        issuer = "https://evil.example" if self.fault == "discovery of another" else self.issuer
        found = {
            "issuer": issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        }
        if self.small_tokens:
            found["userinfo_endpoint"] = f"{self.issuer}/userinfo"
        if self.fault == "plain token endpoint":
            found["token_endpoint"] = "http://login.firm.example/token"
        return found

    def _authorize(self, request: BaseHTTPRequestHandler, fields: dict[str, str]) -> None:
        wrong = fields["redirect_uri"] != self.redirect or fields["client_id"] != CLIENT
        if wrong or fields["response_type"] != "code" or fields["code_challenge_method"] != "S256":
            return self._send(request, 400, {"error": "invalid_request"})
        code = secrets.token_urlsafe(16)
        self._codes[code] = fields
        answer = {"code": code, "state": fields["state"], "iss": self.issuer}
        if self.fault == "denied":
            answer = {"error": "access_denied", "error_description": "<b>no</b>", "state": fields["state"]}
        if self.fault == "state forged":
            answer["state"] = fields["state"][:-3] + "abc"
        if self.fault == "code of another provider":
            answer["iss"] = "https://evil.example"
        request.send_response(302)
        request.send_header("Location", f"{fields['redirect_uri']}?{urlencode(answer)}")
        request.send_header("Content-Length", "0")
        request.end_headers()
        return None

    def _token(self, authorization: str, fields: dict[str, str]) -> tuple[int, dict[str, Any]]:
        given = base64.b64encode(f"{CLIENT}:{SECRET}".replace(" ", "+").replace("'", "%27").encode()).decode()
        plain = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if authorization.removeprefix("Basic ") not in {given, plain}:
            return 401, {"error": "invalid_client"}
        asked = self._codes.pop(fields.get("code", ""), None)
        if asked is None or fields.get("redirect_uri") != asked["redirect_uri"] or self.fault == "redirect refused":
            return 400, {"error": "invalid_grant"}
        challenge = encoded(hashlib.sha256(fields.get("code_verifier", "").encode()).digest())
        if challenge != asked["code_challenge"]:
            return 400, {"error": "invalid_grant", "error_description": "PKCE"}
        self.used_codes.append(fields["code"])
        bearer = secrets.token_urlsafe(16)
        self._bearers[bearer] = self.person
        if self.fault == "no JSON":
            return 200, "<html>a gateway's page</html>"  # type: ignore[return-value]
        return 200, {"access_token": bearer, "token_type": "Bearer", "id_token": self._id_token(asked, bearer)}

    def _id_token(self, asked: dict[str, str], bearer: str) -> str:
        now = int(time.time())
        said = {"sub": self.person["sub"]} if self.small_tokens else self.person
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            "at_hash": encoded(hashlib.sha256(bearer.encode()).digest()[:16]),
            **said,
            **FAULTY_CLAIMS.get(self.fault, lambda _: {})(now),
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": "RS256", "kid": self.key.id, **FAULTY_HEADERS.get(self.fault, {})}
        text = ".".join(encoded(json.dumps(part).encode()) for part in (header, claims))
        return f"{text}.{encoded(self._signature(text.encode()))}"

    def _signature(self, text: bytes) -> bytes:
        if self.fault in {"alg none", "no signature"}:
            return b""
        if self.fault == "public key as a secret":
            made = hmac.HMAC(json.dumps(self.key.public()).encode(), hashes.SHA256())
            made.update(text)
            return made.finalize()
        return (self._other if self.fault == "wrong signature" else self.key).signed(text)

    def new_key(self) -> None:
        """Sign with another key from now on."""
        self.key = key(2)

    def _send(self, request: BaseHTTPRequestHandler, status: int, answer: object) -> None:
        data = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        # Without a length where the answer is long: a client must not rely on what is stated.
        if len(data) < 1_000_000:
            request.send_header("Content-Length", str(len(data)))
        else:
            request.close_connection = True
        request.end_headers()
        request.wfile.write(data)


FAULTY_HEADERS = {
    "alg none": {"alg": "none"},
    "public key as a secret": {"alg": "HS256"},
    "unknown key": {"kid": "of nobody"},
    "critical header": {"crit": ["b64"], "b64": False},
}
FAULTY_CLAIMS = {
    "wrong audience": lambda now: {"aud": "another client"},
    "audience of another, authorized us": lambda now: {"aud": "another client", "azp": CLIENT},
    "authorized another": lambda now: {"aud": [CLIENT, "another client"], "azp": "another client"},
    "issuer of another": lambda now: {"iss": "https://evil.example"},
    "expired": lambda now: {"iat": now - 7200, "exp": now - 3600},
    "of tomorrow": lambda now: {"iat": now + 86400, "exp": now + 90000},
    "no expiry": lambda now: {"exp": None},
    "nonce replayed": lambda now: {"nonce": "of an earlier sign-in"},
    "no nonce": lambda now: {"nonce": None},
    "access token of another": lambda now: {"at_hash": encoded(b"another 16 bytes")},
    "no subject": lambda now: {"sub": None},
    "subject a list": lambda now: {"sub": ["u-1"]},
    "empty subject": lambda now: {"sub": ""},
}
