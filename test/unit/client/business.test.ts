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
      account: [],
      type: undefined,
      request_id: "r&1",
      count: 10,
    });
    expect(queries).toEqual([
      "?from=1970-01-01T00%3A00%3A00.000Z&to=2026-11-28T00%3A00%3A00%2B01%3A00&state=completed&state=failed&request_id=r%261&count=10",
    ]);
  });

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
  ])("follows no link that leads away or back to the page: %s", async (target) => {
    const { client, sent } = begin([pageOf(["a"], `${target}; rel="next"`)]);
    const listed = Array.fromAsync(client.business.transactions());
    await expect(listed).rejects.toMatchObject({ code: "unexpected_answer" });
    expect(sent).toHaveLength(1);
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
    ["", undefined],
    [null, undefined],
  ])("of %j is %j", (header, next) => expect(nextPage(url, header)?.href).toBe(next));
});
