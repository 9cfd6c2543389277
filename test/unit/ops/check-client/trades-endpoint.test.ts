import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../../../../lib/http/request.ts";
import { writeCursor } from "../../../../lib/trades/cursor.ts";
import { tradesEndpoint } from "../../../../ops/check-client/endpoints.ts";
import { NOW } from "../../../support/chain.ts";

const endpoint = tradesEndpoint({
  authenticate: async () => ({ owner: "trader", scopes: ["trades.read"] }),
  venue: "VENUE",
  clock: () => NOW,
});

const request = (rawQuery: string, symbol = "BTC-USD"): HttpRequest => ({
  method: "GET",
  path: `/1.0/trades/all/${symbol}`,
  rawQuery,
  headers: {},
  pathParameters: { symbol },
  hasBody: false,
  clientCertificate: undefined,
  gatewayRequestId: undefined,
});

/** The cursor of the fourth page of the second act. */
function cursorOf(symbol = "BTC-USD"): string {
  const position = { tradedAt: 2_000, id: `${"2".padStart(16, "0")}${"3".padStart(16, "0")}` };
  const window = { startMs: 1_000, endMs: 2_000 };
  return writeCursor(symbol, { window, begunAt: NOW, position, resumeAt: position, yield: 1 });
}

describe("the listing of the check reads requests as the service does", () => {
  test("a cursor names its act and its page, with its own dates or none", async () => {
    const place = { act: 2, station: 3 };
    for (const dates of ["", "&start_date=1000&end_date=2000", "&end_date=2000"]) {
      const question = await endpoint.read(request(`cursor=${cursorOf()}${dates}`));
      expect(question.cursor).toEqual(place);
    }
  });

  test.each([
    [`cursor=${cursorOf()}&end_date=2001`, "BTC-USD", "invalid_cursor"],
    [`cursor=${cursorOf()}&start_date=999`, "BTC-USD", "invalid_cursor"],
    [`cursor=${cursorOf().slice(1)}`, "BTC-USD", "invalid_cursor"],
    [`cursor=${cursorOf()}`, "ETH-USD", "invalid_cursor"],
    ["", "bitcoin", "unknown_symbol"],
    ["limit=0", "BTC-USD", "validation_error"],
    ["start_date=2&end_date=1", "BTC-USD", "validation_error"],
    ["side=buy", "BTC-USD", "validation_error"],
  ])("%s for %s is refused: %s", async (query, symbol, code) => {
    await expect(endpoint.read(request(query, symbol))).rejects.toMatchObject({ code });
  });
});
