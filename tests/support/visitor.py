"""Somebody who asks for pages of the app and sends its forms, without a browser."""

from __future__ import annotations

import html
import re

import httpx

OWNER_TOKEN = "a token of the owner of this bench"


class Visitor:
    """A browser without JavaScript: keeps cookies, and sends the token of the last form."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def get(self, path: str, **options):
        return self.client.get(path, headers={"accept": "text/html"} | options.pop("headers", {}), **options)

    def csrf(self, path: str = "/sign-in") -> str:
        return re.search(r'name="csrf" value="([0-9a-f]{64})"', self.get(path).text)[1]

    def post(self, path: str, fields: dict[str, str] | None = None, *, form: str = "/sign-in", **options):
        fields = {"csrf": self.csrf(form)} | (fields or {})
        return self.client.post(path, data=fields, headers={"accept": "text/html"}, **options)

    def sign_in(self, name: str = "owner", token: str = OWNER_TOKEN, **fields: str):
        return self.post("/sign-in", {"name": name, "token": token, **fields}, follow_redirects=False)

    def add(self, name: str, role: str, *, every: bool = True) -> str:
        """Let somebody in, into every run unless said otherwise; the token in the link that the page shows."""
        answer = self.post("/people", {"name": name, "role": role}, form="/people")
        assert answer.status_code == 200, answer.text
        number = max(int(one) for one in re.findall(r"/people/(\d+)/runs", answer.text))
        if every:
            self.post(f"/people/{number}/runs", {"every": "true"}, form="/people")
        return re.search(r"token=([\w-]+)", answer.text)[1]

    def path_of(self, name: str) -> str:
        """The address of a person's page, for the owner."""
        row = next(row for row in self.get("/people").text.split("<tr>") if html.escape(name) in row)
        return re.search(r"/people/\d+", row)[0]
