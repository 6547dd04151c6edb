"""Hosts that requests may go to and the addresses they were resolved to, for runs that one person starts on another's server.

Between the moment when a host is looked at and the moment when it is asked, its name may come to mean another machine (DNS
rebinding). So names are resolved once, looked at, and handed to the run, which asks these addresses and no others.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import TYPE_CHECKING

import msgspec

from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "BENCHBAR_ADDRESSES"
"""The environment variable that holds them: host to addresses, as JSON."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_ENDS_IN_IPV4 = tuple(
    map(
        ipaddress.IPv6Network,
        # NAT64, translated (SIIT) and compatible addresses: the last four bytes are the machine that is meant.
        ("64:ff9b::/96", "::ffff:0:0:0/96", "::/96"),
    )
)
_WITHIN = tuple(map(ipaddress.IPv6Network, ("64:ff9b:1::/48", "fec0::/10")))
"""Of a network's own, whatever Python's tables of the day say: a local NAT64 and the old site-local addresses."""
_ISATAP = b"\x5e\xfe"


def resolved(host: str, *, private: bool = False) -> tuple[str, ...]:
    """The addresses of a host.

    Args:
        host: Its name, or an address.
        private: Whether it may be on this machine or in a private network.

    Raises:
        UserError: it has none, or one that is not public where only those are allowed.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UserError(f"{host}: no such host, or no name server answers") from error
    addresses = tuple(dict.fromkeys(str(one[4][0]) for one in found))
    for one in addresses:
        # All of them: the client may choose any.
        if fault := _fault(ipaddress.ip_address(one.partition("%")[0]), private=private):
            raise UserError(f"{host} is at {one}, {fault}")
    return addresses


def _fault(address: Address, *, private: bool) -> str:
    """Why an address may not be asked; empty where it may."""
    plain = _embedded(address)
    # Nobody's model lives there, and cloud providers hand out credentials at 169.254.169.254.
    if plain.is_link_local or plain.is_multicast or plain.is_unspecified:
        return "which no model can be asked at"
    if not private and not (plain.is_global and not any(plain in one for one in _WITHIN)):
        return "which is not public; if it is meant, set private = true for this endpoint"
    return ""


def _embedded(address: Address) -> Address:
    """The IPv4 address inside of an IPv6 one: ``::ffff:127.0.0.1`` is this machine."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    tunnelled = address.packed[10:12] == _ISATAP and address.packed[8] in {0, 2} and address.packed[9] == 0
    if tunnelled or (any(address in one for one in _ENDS_IN_IPV4) and int(address) > 1):
        return ipaddress.IPv4Address(address.packed[-4:])
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


def as_variable(hosts: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The environment variable by which a process is held to these hosts and addresses."""
    return {VARIABLE: msgspec.json.encode(hosts).decode()}


def pinned() -> dict[str, tuple[str, ...]] | None:
    """The hosts that this process may ask, with their addresses; None where it may ask any.

    Raises:
        UserError: the variable is set to something else.
    """
    text = os.environ.get(VARIABLE)
    if text is None:
        return None
    try:
        return msgspec.json.decode(text, type=dict[str, tuple[str, ...]])
    except msgspec.DecodeError as error:
        # Not "any host": a variable that was cut off must not open what it was to close.
        raise UserError(f"{VARIABLE} holds no JSON of hosts and addresses; unset it to ask any host") from error
