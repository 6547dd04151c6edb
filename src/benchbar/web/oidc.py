"""Sign-in through a firm's identity provider: who of its people may come in, as what, and under which name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchbar.records import Record
from benchbar.records.errors import BadInputError
from benchbar.records.toml import read_toml
from benchbar.web.people import LONGEST_NAME, Role

BACK = "/sign-in/provider/back"
"""Where the provider sends a browser back to, beneath the app's address."""
MAIL = "email"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class OidcError(Exception):
    """Somebody is not let in; the key of the text that says who has to mend what, and its fields."""

    def __init__(self, key: str, **fields: str) -> None:
        """``key`` is one of the section ``oidc`` of the language packs."""
        super().__init__(key)
        # What stands in these fields came from the provider or its token: bounded here, escaped by the page.
        self.key, self.fields = key, {name: value[:200] for name, value in fields.items()}


class OidcSettings(Record, frozen=True):
    """The file of ``benchbar serve --oidc``."""

    issuer: str
    """As the provider writes it in its tokens; its settings are read beneath it, at /.well-known/openid-configuration."""
    client_id: str
    address: str
    """Where browsers reach the app: the provider sends people back there, and to no other address."""
    client_secret_env: str = ""
    """The variable of the server's environment that holds the client's secret; empty for a public client, which has PKCE alone."""
    label: str = ""
    """What the button calls the provider; its host where empty."""
    domains: tuple[str, ...] = ()
    """Mail domains whose people may come in; the provider has to say that it verified the address."""
    role: Role = Role.REVIEWER
    """What somebody is at first where no claim says so."""
    role_claim: str = ""
    """A claim whose values are the groups of a person; dots lead into it, as in ``realm_access.roles``."""
    roles: dict[Role, tuple[str, ...]] = {}
    """Role to the groups that have it; who is in none of them may not come in."""
    person_claim: str = MAIL
    """The claim that is a person's name here, under which their marks are kept."""
    scopes: tuple[str, ...] = ("openid", "email", "profile")
    hours: float = 12
    """After so many somebody has to sign in again, so that whoever left the firm is out by then."""

    @property
    def redirect(self) -> str:
        """The address to be registered with the provider, letter by letter."""
        return self.address.rstrip("/") + BACK

    @property
    def button(self) -> str:
        """What the provider is called on the page."""
        return self.label or urlsplit(self.issuer).hostname or self.issuer

    @property
    def by_mail(self) -> bool:
        """Whether a person's mail address decides anything, and so has to be verified."""
        return bool(self.domains) or self.person_claim == MAIL


def read_settings(file: Path) -> OidcSettings:
    """The settings in a file.

    Raises:
        BadInputError: the file cannot be read, a field is wanting or wrong, or everybody at the provider would come in.
    """
    found = read_toml(file, OidcSettings)
    for field in ("issuer", "address"):
        if not secure(getattr(found, field)):
            raise BadInputError(
                "expected https://…; http:// is for this machine alone, since who reads the line could sign in",
                file=file,
                field=field,
            )
    if bool(found.roles) != bool(found.role_claim):
        raise BadInputError("`role_claim` and the table [roles] need each other", file=file, field="role_claim")
    if not found.domains and not found.roles:
        raise BadInputError(
            "everybody who has an account with the provider would come in; name mail domains, or a `role_claim` with [roles]",
            file=file,
            field="domains",
        )
    if found.role is Role.OWNER:
        # A whole domain of owners is nobody's intention; a group of them is named in [roles].
        raise BadInputError("owners are named by [roles]; expected reviewer or viewer", file=file, field="role")
    if wrong := [one for one in found.domains if "@" in one or not one.isascii() or one != one.lower().strip(". ")]:
        raise BadInputError(f"{wrong[0]!r}: expected a domain such as example.org", file=file, field="domains")
    return found


def secure(address: str) -> bool:
    """Whether nobody on the line can read or change what is exchanged with an address."""
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme, parts.hostname) in _LOCAL)
    # A port that is no number, or half an IPv6 address.
    except ValueError:
        return False


_LOCAL = frozenset(("http", host) for host in LOOPBACK)


def admitted(settings: OidcSettings, claims: Mapping[str, Any]) -> tuple[str, Role]:
    """Name and role of somebody of whom the provider says this.

    Raises:
        OidcError: the mail address is unverified or of another domain, no group has a role, or there is no fit name.
    """
    if settings.by_mail:
        _check_mail(settings, claims)
    role = _role(settings, claims)
    name = claims.get(settings.person_claim)
    fit = isinstance(name, str) and name == name.strip() and name.isprintable() and 0 < len(name) <= LONGEST_NAME
    if not fit:
        raise OidcError("no_name", claim=settings.person_claim, issuer=settings.issuer)
    return str(name), role


def _check_mail(settings: OidcSettings, claims: Mapping[str, Any]) -> None:
    mail = claims.get(MAIL)
    if not isinstance(mail, str) or mail.count("@") != 1:
        raise OidcError("no_mail", issuer=settings.issuer)
    # Some providers send the text "true"; whatever else stands there has not been verified.
    verified = claims.get("email_verified")
    if verified is not True and verified != "true":
        raise OidcError("mail_unverified", mail=mail, issuer=settings.issuer)
    # The whole domain and no ending of it: evil-example.org ends like example.org.
    if settings.domains and mail.rpartition("@")[2].lower() not in settings.domains:
        raise OidcError("mail_domain", mail=mail)


def _role(settings: OidcSettings, claims: Mapping[str, Any]) -> Role:
    if not settings.roles:
        return settings.role
    groups = _values(claims, settings.role_claim)
    # In the order of the roles: of reviewer and viewer it is the reviewer, who must never see whose answers they mark.
    found = next((role for role in Role if groups.intersection(settings.roles.get(role, ()))), None)
    if found is None:
        raise OidcError("no_role", claim=settings.role_claim, issuer=settings.issuer)
    return found


def _values(claims: Mapping[str, Any], path: str) -> set[str]:
    """The texts of a claim; a claim whose own name has dots, such as an address, comes before a path of several."""
    found: Any = claims.get(path)
    if found is None:
        found = claims
        for part in path.split("."):
            found = found.get(part) if isinstance(found, dict) else None
    return {one for one in (found if isinstance(found, list) else [found]) if isinstance(one, str)}
