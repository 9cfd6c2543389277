"""Lists the trades of a market, newest first: signs each request, follows the cursor from page to page, waits when the
budget is used up, and keeps every digit. Copy it into a project of your own: it needs Python 3.9 or later and the
package `cryptography`.

    python3 list_trades.py BTC-USD [limit=1900] [start_date=1795467600000] [end_date=1795554000000]

In the environment it needs BASE_URL, API_KEY (the 64 letters and digits of your key) and PRIVATE_KEY_FILE (Ed25519,
PEM). HEADER_PREFIX is what the names of the three headers begin with, if it is not X-Svc-.
"""

import argparse
import base64
import json
import os
import sys
import time
from datetime import datetime, timezone
from decimal import Decimal, getcontext
from http.client import HTTPException
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

ATTEMPTS_MAX = 10
UNTOLD_WAIT_MS = 1_000
# The most failures in a row: answers of 503, and connections that end without an answer.
FAILURES_MAX = 4
LOST_WAIT_MS = 250
TIMEOUT_S = 30

# Sums stay exact up to this many digits; the default of 28 would round a long listing.
getcontext().prec = 100


class Signer(NamedTuple):
    api_key: str
    private_key: Ed25519PrivateKey
    header_prefix: str


def signed_headers(url: str, signer: Signer) -> dict:
    """Headers for a GET of exactly this URL. They are good for some seconds, so each attempt is signed anew."""
    parts = urlsplit(url)
    timestamp = str(time.time_ns() // 1_000_000)
    # The path is signed decoded, the query as it is sent and without its question mark.
    text = f"{timestamp}GET{unquote(parts.path)}{parts.query}"
    signature = signer.private_key.sign(text.encode())
    return {
        f"{signer.header_prefix}API-Key": signer.api_key,
        f"{signer.header_prefix}Timestamp": timestamp,
        f"{signer.header_prefix}Signature": base64.b64encode(signature).decode(),
    }


def wait_ms_of(headers) -> int:
    """How long a refusal asks to wait: this interface counts Retry-After in milliseconds, not in seconds as others do."""
    text = headers.get("Retry-After", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else UNTOLD_WAIT_MS


def describe_error(status: int, body: bytes) -> str:
    """An error of the interface says a code for programs and a message for people. What stands in front of it may not."""
    try:
        error = json.loads(body)
        error_id = error.get("error_id", "unknown")
        named = f"{status} {error.get('code', '')}".rstrip()
        return f"{named}: {error['message']} (error_id {error_id})"
    except (ValueError, KeyError, AttributeError, TypeError):
        return f"{status}: {body[:200].decode(errors='replace')}"


class NoRedirects(HTTPRedirectHandler):
    """The service does not redirect, and the headers would prove this program to any host that a redirect names."""

    def redirect_request(self, *_):
        return None


opener = build_opener(NoRedirects)


def send(url: str, signer: Signer) -> tuple:
    """Status, wait and body of one answer; without an answer the status is None, and the body says why."""
    try:
        try:
            response = opener.open(Request(url, headers=signed_headers(url, signer)), timeout=TIMEOUT_S)
        except HTTPError as refusal:
            # Everything but a 2xx is an exception here.
            response = refusal
        with response:
            # A connection may also end in the middle of a body.
            return response.status, wait_ms_of(response.headers), response.read()
    except (OSError, HTTPException) as error:
        return None, LOST_WAIT_MS, str(getattr(error, "reason", error)).encode()


def get_page(url: str, signer: Signer) -> dict:
    """One page. A 429 is waited out as it asks; a 503 and a lost connection as well, and twice as long each time. Any
    other failure would come again.
    """
    failures = 0
    for attempt in range(1, ATTEMPTS_MAX + 1):
        status, wait_ms, body = send(url, signer)
        if status == 200:
            # Amounts of trades are text; a number with a fraction would become a Decimal, and never a float.
            return json.loads(body, parse_float=Decimal)
        is_failing = status in (503, None)
        failures += is_failing
        is_passing = status == 429 or (is_failing and failures < FAILURES_MAX)
        if not is_passing or attempt == ATTEMPTS_MAX:
            if status is None:
                sys.exit(f"No answer from {urlsplit(url).netloc}: {body.decode(errors='replace')}")
            sys.exit(describe_error(status, body))
        if is_failing:
            wait_ms *= 2 ** (failures - 1)
        print(f"{status or 'no answer'}: waiting {wait_ms} ms", file=sys.stderr)
        time.sleep(wait_ms / 1000)
    raise AssertionError("The last attempt returns or raises.")


def list_pages(address: str, parameters: dict, signer: Signer):
    """Every page of a listing, until one has no cursor. A page may be empty and have one."""
    parameters = dict(parameters)
    while True:
        query = urlencode(parameters)
        page = get_page(f"{address}?{query}" if query else address, signer)
        yield page
        if "next_cursor" not in page["metadata"]:
            return
        parameters["cursor"] = page["metadata"]["next_cursor"]


def iso_text(epoch_ms: int) -> str:
    """An instant as text. The milliseconds are put in by hand: a timestamp with a fraction would be a float."""
    second = datetime.fromtimestamp(epoch_ms // 1000, timezone.utc)
    return f"{second:%Y-%m-%dT%H:%M:%S}.{epoch_ms % 1000:03d}Z"


def print_trades(address: str, parameters: dict, signer: Signer) -> None:
    count = 0
    quantity = Decimal(0)
    currency = ""
    for page in list_pages(address, parameters, signer):
        for trade in page["data"]:
            columns = [iso_text(trade["tdt"]), trade.get("s", "-"), trade["q"], trade["qc"], trade["p"], trade["pc"]]
            print("\t".join(columns))
            quantity += Decimal(trade["q"])
            currency = trade["qc"]
        count += len(page["data"])
    sys.stdout.flush()
    print(f"{count} trades, {quantity} {currency}".rstrip(), file=sys.stderr)


def setting(name: str) -> str:
    return os.environ.get(name) or sys.exit(f"{name} is not set.")


def read_key(file: str) -> Ed25519PrivateKey:
    try:
        with open(file, "rb") as opened:
            return load_pem_private_key(opened.read(), password=None)
    except (OSError, ValueError, TypeError):
        sys.exit(f"{file} cannot be read as a private Ed25519 key in PEM.")


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints the trades of a market, newest first, and their sum.")
    parser.add_argument("symbol", nargs="?", help="the market's symbol, or SYMBOL")
    parser.add_argument("parameters", nargs="*", help="of the query, such as limit=1900")
    options = parser.parse_args()
    address = f"{setting('BASE_URL')}/1.0/trades/all/{quote(options.symbol or setting('SYMBOL'), safe='')}"
    key = read_key(setting("PRIVATE_KEY_FILE"))
    signer = Signer(setting("API_KEY"), key, os.environ.get("HEADER_PREFIX", "X-Svc-"))
    try:
        print_trades(address, dict(parse_qsl("&".join(options.parameters))), signer)
    except BrokenPipeError:
        # A reader that has seen enough, such as `head`, closes the pipe; nothing may be flushed into it at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit("Stopped.")


if __name__ == "__main__":
    main()
