import json, os, pytest
from urllib.request import Request, urlopen

WORLDS = os.environ.get("WORLDS", "http://127.0.0.1:3000/worlds")


def ask(url, method="GET", body=None, headers={}):
    with urlopen(Request(url, json.dumps(body).encode() if body else None, headers, method=method)) as answer:
        return json.load(answer)


@pytest.fixture
def world():
    opened = ask(WORLDS, "POST")
    yield opened
    ask(opened["control"], "DELETE")


@pytest.mark.parametrize("state", ["PROCESSING", "COMPLETED"])
def test_an_order_moves_on(world, state):
    ramp = world["credentials"]["ramp"]
    order = ramp["orders"]["AWAITING_DEPOSIT"]
    ask(world["control"] + "/advance", "POST", {"id": order, "to": state})
    answer = ask(f"{world['baseUrl']}/sell-orders/{order}", headers={"X-API-KEY": ramp["apiKey"]})
    assert answer["status"] == state
