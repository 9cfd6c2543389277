"""Answers for wallet passes as a partner does: credentials and scope first, then the version, the pass and its tag. Copy
it into a project of your own: it needs Python 3.9 or later and no package.
"""

import argparse
import base64
import hashlib
import json
import re
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Optional
from urllib.parse import unquote

SCOPE = "passes.read"
VERSION_HEADER = "Service-Api-Version"
VERSION = "2026-07-01"
JSON = {"Content-Type": "application/json"}


def refusal(status: int, code: str, headers: Optional[dict] = None) -> tuple:
    return status, {**JSON, "Cache-Control": "no-store", **(headers or {})}, json.dumps({"code": code}).encode()


class PassEndpoint(BaseHTTPRequestHandler):
    # Without this, every answer would close its connection.
    protocol_version = "HTTP/1.1"
    settings: argparse.Namespace

    def scopes(self) -> Optional[list]:
        """The scopes of the caller; None for a stranger. Here is the place for the tokens of your own issuer."""
        found = re.fullmatch(r"bearer +(\S+)", self.headers.get("Authorization", ""), re.IGNORECASE)
        return found and self.settings.tokens.get(hashlib.sha256(found[1].encode("latin-1")).hexdigest())

    def read_pass(self) -> Optional[bytes]:
        """A pass as it is served; `null` for one that is gone, None for one that never was. Here is the place for your
        store.
        """
        found = re.fullmatch(r"/passes/([^/?]+)(\?.*)?", self.path)
        name = unquote(found[1]) if found else ""
        if not re.fullmatch(r"[A-Za-z0-9_~:@-][A-Za-z0-9_.~:@-]{0,127}", name):
            return None
        try:
            text = (self.settings.directory / f"{name}.json").read_bytes().strip()
        except FileNotFoundError:
            # Any other failure must not look like a missing pass.
            return None
        if text == b"":
            raise ValueError(f"The file of {name} is empty: is it being written?")
        return text

    def is_named(self, tag: str) -> bool:
        """Whether If-None-Match names a tag, or any: a list of tags, weak or strong (RFC 9110 13.1.2)."""
        named = ", ".join(self.headers.get_all("If-None-Match", []))
        return named.strip() == "*" or tag in re.findall(r'"[^"]*"', named)

    def answer(self) -> tuple:
        """Status, headers and body, in this order: a stranger learns nothing, and a tag counts only where the answer
        would be the pass.
        """
        scopes = self.scopes()
        if scopes is None:
            return refusal(401, "invalid_credentials", {"WWW-Authenticate": "Bearer"})
        if SCOPE not in scopes:
            return refusal(403, "insufficient_scope")
        if self.headers.get(VERSION_HEADER) != VERSION:
            return refusal(400, "unsupported_version")
        found = self.read_pass()
        if found is None:
            return refusal(404, "not_found")
        if found == b"null":
            return refusal(410, "gone")
        digest = hashlib.sha256(f"{VERSION}\n".encode() + found).digest()
        tag = f'"{base64.urlsafe_b64encode(digest).decode()}"'
        headers = {
            "ETag": tag,
            "Cache-Control": "private, no-cache",
            "Vary": f"Authorization, {VERSION_HEADER}",
        }
        if self.is_named(tag):
            return 304, headers, None
        return 200, {**headers, **JSON}, found

    def do_GET(self) -> None:
        try:
            status, headers, body = self.answer()
        except Exception:
            traceback.print_exc()
            status, headers, body = refusal(503, "temporarily_unavailable", {"Retry-After": "1"})
        self.send_response(status)
        request_id = self.headers.get("Request-Id", "")
        if re.fullmatch(r"[\x21-\x7e]{1,128}", request_id):
            self.send_header("Request-Id", request_id)
        for name, value in headers.items():
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_) -> None:
        """A line for each request would repeat references of customers."""


def read_tokens(file: str) -> dict:
    """The scopes of each token, by the token's SHA-256: who reads the file cannot use it."""
    lines = [line.split() for line in Path(file).read_text(encoding="utf-8").splitlines()]
    return {digest.lower(): scopes for digest, *scopes in filter(None, lines)}


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Answers GET /passes/{partner_reference} from a directory: <reference>.json is the pass, to the "
        "letter, or null for a pass that is gone for good. A file that changes is the new state of its pass: replace it "
        "in one step, by renaming another.",
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument(
        "--tokens",
        required=True,
        metavar="FILE",
        type=read_tokens,
        help="one token a line: its SHA-256 in hex, a space, and its scopes",
    )
    parser.add_argument("--port", default=8080, type=int, help="0 for any free port (default: 8080)")
    return parser.parse_args()


def main() -> None:
    PassEndpoint.settings = read_options()
    server = ThreadingHTTPServer(("127.0.0.1", PassEndpoint.settings.port), PassEndpoint)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
