"""Reads a sell order, waits as the service says, and keeps every digit of its amounts. It needs Python 3.9 or later."""

import json, os, sys, time, urllib.error, urllib.request
from decimal import Decimal


def get(url, headers):
    for attempt in range(1, 6):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
                return json.load(response, parse_float=Decimal, parse_int=Decimal)
        except urllib.error.HTTPError as error:
            body = json.loads(error.read())
            if "retry_after_ms" not in body or attempt == 5:
                raise SystemExit(f"{error.code} {body.get('code')}: {body['message']}")
            time.sleep(body["retry_after_ms"] / 1000)


order = get(sys.argv[1], {"X-API-KEY": os.environ["API_KEY"]})
print(format(order["crypto"]["amount"], "f"))
