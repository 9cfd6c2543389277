"""Polls a wallet pass as a wallet service does: signs each request by a detached JWS, sends the tag of the last answer,
waits as long as it is told, stops when the pass is gone, and keeps every digit. Copy it into a project of your own: it
needs Python 3.9 or later and the package `cryptography`.

In the environment it needs BASE_URL and JWS_KEY_FILE (your private Ed25519 key, a JWK with its kid). VERSION_HEADER and
PASS_VERSION are the header of the contract version and the version, if not those of this program.
"""

import argparse
import base64
import json
import math
import os
import sys
import time
import uuid
from datetime import datetime, timezone
from decimal import Decimal
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import NamedTuple, Optional
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

VERSION_HEADER = os.environ.get("VERSION_HEADER", "Service-Api-Version")
PASS_VERSION = os.environ.get("PASS_VERSION", "2026-07-01")
# Only these end the polling: the reason of any other refusal may be mended meanwhile.
GONE = (404, 410)
BUSY = (429, 503)
# Each of these in a row doubles the pause, up to this factor. Without an answer the status is None.
FAILING = (503, None)
SLOWER_MAX = 64
WAIT_S_MIN = 1
WAIT_S_MAX = 2_000_000
TIMEOUT_S = 30


class SigningKey(NamedTuple):
    kid: str
    private_key: Ed25519PrivateKey


class Answer(NamedTuple):
    """What came of a poll. The status is None where no answer came: the next poll may get one."""

    status: Optional[int]
    headers: dict
    body: str


class Known(NamedTuple):
    """What is known of the pass: the tag of the last 200, and each value by its path, as it was written."""

    tag: Optional[str]
    values: dict


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def jws_signature(url: str, key: SigningKey) -> str:
    """A detached JWS for a GET of this URL: good for five minutes, and with its `jti` for one request."""
    # The path may be signed as it is sent: its percent-encoding is undone before it is compared.
    claims = {"iat": int(time.time()), "jti": str(uuid.uuid4()), "htm": "GET", "htp": urlsplit(url).path}
    part = base64url(json.dumps({"alg": "EdDSA", "kid": key.kid, **claims}).encode())
    return f"{part}..{base64url(key.private_key.sign(f'{part}.'.encode()))}"


def values_of(value, path: str = "") -> dict:
    """Every value of a document by its path, such as `semantics.points`."""
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    else:
        is_number = isinstance(value, (int, Decimal)) and not isinstance(value, bool)
        return {path: str(value) if is_number else json.dumps(value, ensure_ascii=False)}
    found = {}
    for name, member in members:
        found.update(values_of(member, f"{path}.{name}" if path else str(name)))
    return found


def changes_of(before: dict, after: dict) -> list:
    paths = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return [f"  {path}: {before.get(path, '(nothing)')} -> {after.get(path, '(nothing)')}" for path in paths]


def wait_s_of(headers: dict, untold_s: float) -> float:
    """How long a refusal asks to wait: seconds or a date, as HTTP has it. The date counts by the server's clock, not by ours."""
    text = headers.get("retry-after", "")
    wait_s = untold_s
    if text.isascii() and text.isdigit():
        wait_s = int(text)
    else:
        try:
            until = parsedate_to_datetime(text)
            now = parsedate_to_datetime(headers["date"]) if "date" in headers else datetime.now(timezone.utc)
            wait_s = (until - now).total_seconds()
        except (TypeError, ValueError):
            pass
    return min(WAIT_S_MAX, max(WAIT_S_MIN, wait_s))


def describe_error(answer: Answer) -> str:
    """An error of the interface says a code for programs and a message for people. What stands in front of it may not."""
    status = "no answer" if answer.status is None else answer.status
    try:
        error = json.loads(answer.body)
        error_id = error.get("error_id", "unknown")
        named = f"{status} {error.get('code', '')}".rstrip()
        return f"{named}: {error['message']} (error_id {error_id})"
    except (ValueError, KeyError, AttributeError, TypeError):
        return f"{status}: {answer.body[:200]}"


class NoRedirects(HTTPRedirectHandler):
    """The service does not redirect, and the headers would prove this program to any host that a redirect names."""

    def redirect_request(self, *_):
        return None


opener = build_opener(NoRedirects)


def ask(url: str, key: SigningKey, tag: Optional[str]) -> Answer:
    """Asks for the pass, with the tag of the state that is known."""
    headers = {VERSION_HEADER: PASS_VERSION, "Jws-Signature": jws_signature(url, key)}
    if tag is not None:
        headers["If-None-Match"] = tag
    try:
        try:
            response = opener.open(Request(url, headers=headers), timeout=TIMEOUT_S)
        except HTTPError as refusal:
            # Everything but a 2xx is an exception here, a 304 too.
            response = refusal
        with response:
            answered = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status, answered, response.read().decode())
    except (OSError, HTTPException) as error:
        return Answer(None, {}, str(getattr(error, "reason", error)))


def say(line: str) -> None:
    now = datetime.now(timezone.utc)
    print(f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z  {line}", flush=True)


def take_pass(answer: Answer, known: Optional[Known]) -> Known:
    """Shows a new state of the pass, and returns what is to be remembered of it."""
    # A float would make 1284.5 of 1284.50.
    values = values_of(json.loads(answer.body, parse_float=Decimal))
    say("200  the pass" if known is None else "200  changed")
    for line in changes_of({} if known is None else known.values, values):
        print(line, flush=True)
    return Known(answer.headers.get("etag"), values)


def poll(url: str, key: SigningKey, every_s: float, times_max: float) -> None:
    """Polls until the pass is gone or there were enough polls."""
    known = None
    times = 0
    slower = 1
    while True:
        answer = ask(url, key, known and known.tag)
        if answer.status in GONE:
            return say(f"{answer.status}  the pass is gone: polling ends")
        wait_s = wait_s_of(answer.headers, every_s) if answer.status in BUSY else every_s
        is_failing = answer.status in FAILING
        wait_s = min(WAIT_S_MAX, wait_s * slower if is_failing else wait_s)
        slower = min(SLOWER_MAX, slower * 2) if is_failing else 1
        if answer.status == 200:
            known = take_pass(answer, known)
        elif answer.status == 304:
            say("304  unchanged")
        else:
            say(f"{describe_error(answer)}; next poll in {wait_s * 1000:.0f} ms")
        times += 1
        if times == times_max:
            return None
        time.sleep(wait_s)


def setting(name: str) -> str:
    return os.environ.get(name) or sys.exit(f"{name} is not set.")


def read_key(file: str) -> SigningKey:
    try:
        with open(file, encoding="utf-8") as opened:
            jwk = json.load(opened)
        seed = base64.urlsafe_b64decode(f"{jwk['d']}==")
        return SigningKey(jwk["kid"], Ed25519PrivateKey.from_private_bytes(seed))
    except (OSError, ValueError, KeyError, TypeError):
        sys.exit(f"{file} cannot be read as a private Ed25519 key: a JWK with d, x and kid.")


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints each answer, and what changed in the pass, until it is gone.")
    parser.add_argument("reference", nargs="?", help="the partner reference of the pass, or PARTNER_REFERENCE")
    parser.add_argument("--every", default=60, metavar="SECONDS", type=float, help="from one poll to the next")
    parser.add_argument("--times", default=math.inf, metavar="NUMBER", type=int, help="how many polls at most")
    options = parser.parse_args()
    reference = options.reference or setting("PARTNER_REFERENCE")
    url = f"{setting('BASE_URL')}/passes/{quote(reference, safe='')}"
    try:
        poll(url, read_key(setting("JWS_KEY_FILE")), options.every, options.times)
    except KeyboardInterrupt:
        sys.exit("Stopped.")


if __name__ == "__main__":
    main()
