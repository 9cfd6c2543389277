import { describe, expect, test } from "vitest";
import { Countinghouse, CountinghouseError, type TransactionQuery } from "../../../client/src/index.ts";
import { nextPage } from "../../../client/src/next-page.ts";
import { legOf, transactionText } from "../../support/documents.ts";
import { errorBody, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";

function begin(answers: readonly Scripted[]) {
  const server = scriptServer(answers);
  return { ...server, client: new Countinghouse({ ...server.options, business: { accessToken: "t" } }) };
}

const pageOf = (ids: readonly string[], link?: string): Scripted => ({
  body: `[${ids.map((id) => transactionText({ id })).join(",")}]`,
  ...(link !== undefined && { headers: { Link: link } }),
});

async function idsOf(answers: readonly Scripted[], query?: TransactionQuery) {
  const { client, sent } = begin(answers);
  const ids: string[] = [];
  for await (const { id } of client.business.transactions(query)) ids.push(id);
  return { ids, queries: sent.map(({ url }) => new URL(url).search) };
}

describe("a list of transactions", () => {
  test("follows each link as it is, and an empty page is not its end", async () => {
    const { ids, queries } = await idsOf([
      pageOf(["a", "b"], '<?count=2&cursor=x%2By>; rel="next"'),
      pageOf([], '<?count=2&cursor=z>; rel="next"'),
      pageOf(["c"]),
    ]);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(queries).toEqual(["", "?count=2&cursor=x%2By", "?count=2&cursor=z"]);
  });

  test("sends each filter under its own name, and a list as repetitions", async () => {
    const { queries } = await idsOf([pageOf([])], {
      from: new Date(0),
      to: "2026-11-28T00:00:00+01:00",
      state: ["completed", "failed"],
      account: ["a-1"],
      type: undefined,
      request_id: "r&1",
      count: 10,
    });
    expect(queries).toEqual([
      "?from=1970-01-01T00%3A00%3A00.000Z&to=2026-11-28T00%3A00%3A00%2B01%3A00&state=completed&state=failed&account=a-1&request_id=r%261&count=10",
    ]);
  });

  const nothing = ["", " ", null, Number.NaN, Number.POSITIVE_INFINITY, new Date("x"), true, {}, new Map()];
  const filters = ["from", "to", "account", "type", "state", "request_id", "count"];
  test.each(filters)(
    "refuses a filter %s without a value, which would ask for more than was meant",
    (name) => {
      const { client, sent } = begin([]);
      const lists = [[], [undefined], ["a", undefined], Array(1), Object.assign(Array(2), { 1: "a" })];
      for (const value of [...lists, ...nothing, ...nothing.map((each) => [each])])
        expect(() => client.business.transactions({ [name]: value }), JSON.stringify(value)).toThrow(
          new RegExp(`^${name}: must `),
        );
      expect(sent).toEqual([]);
    },
  );

  test.each([[[]], [new Map()], [new URLSearchParams("state=failed")], ["state=failed"], [null]])(
    "refuses filters in another form than an object's members: %o",
    (query) => {
      expect(() => begin([]).client.business.transactions(query as never)).toThrow(/^query: must /);
    },
  );

  test("asks for a page only when its transactions are wanted", async () => {
    const { client, sent } = begin([pageOf(["a", "b"], '<?cursor=x>; rel="next"'), pageOf(["c"])]);
    for await (const { id } of client.business.transactions()) if (id === "b") break;
    expect(sent).toHaveLength(1);
  });

  test.each([
    "<?>",
    "<https://elsewhere.test/base/transactions?x>",
    "</other?x>",
    "<//elsewhere.test/base/transactions>",
    "<http://[>",
    "<//>",
    "?cursor=x",
    "<?cursor=x",
    '<?cursor=x>; title="',
  ])("follows no link that leads away, back to the page, or that cannot be read: %s", async (target) => {
    const { client, sent } = begin([pageOf(["a"], `${target}; rel="next"`)]);
    const listed = Array.fromAsync(client.business.transactions());
    await expect(listed).rejects.toMatchObject({ code: "unexpected_answer" });
    expect(sent).toHaveLength(1);
  });

  test("gives no more of a page once its signal is aborted", async () => {
    const stop = new AbortController();
    const { client } = begin([pageOf(["a", "b"])]);
    const list = client.business.transactions({}, { signal: stop.signal });
    await list.next();
    stop.abort(new Error("enough"));
    await expect(list.next()).rejects.toThrow("enough");
  });

  test("fails where a page fails, after the transactions before it", async () => {
    const { client } = begin([
      pageOf(["a"], '<?cursor=x>; rel="next"'),
      { status: 400, body: errorBody("invalid_cursor") },
    ]);
    const list = client.business.transactions();
    expect((await list.next()).value).toMatchObject({ id: "a" });
    await expect(list.next()).rejects.toThrow(CountinghouseError);
  });
});

test("a transaction has its amounts as text with every digit, alone and in a list", async () => {
  const legs = [legOf({ amount: 1.5, fee: undefined })];
  const body = transactionText({ legs }).replace('"amount":1.5', '"amount":-0.123456789012345678900');
  const { client } = begin([{ body }, { body: `[${body}]` }]);
  const alone = await client.business.transaction("a");
  const [listed] = await Array.fromAsync(client.business.transactions());
  expect([alone, listed].map((record) => record?.legs[0]?.amount)).toEqual([
    "-0.123456789012345678900",
    "-0.123456789012345678900",
  ]);
});

describe("the next page", () => {
  const url = new URL("https://api.test/base/transactions?a=1");
  test.each([
    ['<?b=2>; rel="next"', "https://api.test/base/transactions?b=2"],
    ["<?b=2>; rel=next", "https://api.test/base/transactions?b=2"],
    ['<?b=2>;title="x";rel="prev next"', "https://api.test/base/transactions?b=2"],
    ['<?p>; rel="prev", <?b=2,3;4>; rel="next"', "https://api.test/base/transactions?b=2,3;4"],
    ['<?b=2> ; rel = "a next b c"', "https://api.test/base/transactions?b=2"],
    ["<?b=2>; rel = next ; title=x", "https://api.test/base/transactions?b=2"],
    ['<?b=2>; REL="Next"', "https://api.test/base/transactions?b=2"],
    ['<?b=2>; rel="nextish"', undefined],
    ['<?b=2>; title="rel=next"', undefined],
    ['<?b=2>; rel="prev"', undefined],
    ["<?b=2>; crossorigin; rel=next; ", "https://api.test/base/transactions?b=2"],
    ['<?b=2>; title="a\\"; rel=next"', undefined],
    ['<?b=2>; title="; rel=next"; rel=prev', undefined],
    ["<?b=2>; rel=prev; rel=next", undefined],
    [", <?a>; rel=prev,, <?b=2>;rel=next,", "https://api.test/base/transactions?b=2"],
    ["", undefined],
    [null, undefined],
  ])("of %j is %j", (header, next) => expect(nextPage(url, header)?.href).toBe(next));

  test.each(["<", '"', ";", " ", ",", "<a>", "<a>;", "<a>; rel", '<a>; rel="', "; x=", "<a>;x=\\"])(
    "is found, or is not, in a time that grows as the header does: %j again and again",
    (part) => {
      // A quadratic expression takes minutes for some of them.
      const long = part.repeat(400_000 / part.length);
      for (const header of [long, `<a>${long}`, `<a>;x="${long}`])
        expect(() => nextPage(url, header) ?? "none").not.toThrow(RangeError);
    },
  );
});

describe("a transaction that is waited for", () => {
  const missing: Scripted = { status: 404, body: errorBody("not_found") };

  test("may not be there yet, for five minutes", async () => {
    const { client, waits } = begin([missing, missing, { body: transactionText({ id: "a" }) }]);
    expect((await client.business.waitForTransaction("a")).id).toBe("a");
    expect(waits).toEqual([5_000, 5_000]);
    const never = begin(Array.from({ length: 70 }, () => missing));
    await expect(never.client.business.waitForTransaction("a")).rejects.toMatchObject({ code: "not_found" });
    expect(never.waits.reduce((sum, ms) => sum + ms, 0)).toBe(300_000);
  });

  test("is looked for as often and as long as the program says", async () => {
    const { client, waits } = begin([missing, missing, missing]);
    const found = client.business.waitForTransaction("a", { everyMs: 250, missingMs: 500 });
    await expect(found).rejects.toMatchObject({ code: "not_found" });
    expect(waits).toEqual([250, 250]);
  });

  test("is not looked for after a failure that says something else", async () => {
    const { client, sent } = begin([{ status: 404, body: { message: "Not Found" } }]);
    await expect(client.business.waitForTransaction("a")).rejects.toMatchObject({ code: "no_route" });
    expect(sent).toHaveLength(1);
  });
});
