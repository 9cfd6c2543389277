import { listTrades } from "../../lib/trades/contract.ts";
import type { ExchangeSection } from "../demo/demo-file.ts";
import type { Word } from "../terminal/shell.ts";
import { codesOfEvery, describeEndpoint } from "./endpoint-reference.ts";
import { tradePageRecord } from "./records/trade.ts";

/** A window of the day up to 2026-11-24T21:00:00Z. */
const RECENT = "start_date=1795467600000&end_date=1795554000000";
const TRADES = "/1.0/trades/all/ETH-GBP";

/** A signature is good for half a minute, so the line makes one when it is run, from whatever directory. */
function signature(url: string, { headerPrefix, apiKey, privateKeyFile }: ExchangeSection): Word {
  const key = ["--api-key", apiKey, "--private-key", privateKeyFile, "--header-prefix", headerPrefix];
  return { split: ["sign", "GET", url, ...key, "--curl-options"] };
}

export const listTradesReference = describeEndpoint({
  contract: listTrades,
  tag: "Exchange",
  title: "List trades",
  text: [
    "Returns all trades of a market, whoever made them, whose `tdt` is in the window: newest first by `tdt`, and those of the same `tdt` by descending `tid`. Both ends of the window are included, so the next older window ends at `start_date - 1`.",
    "Without dates the window is the 7 days up to now; with `start_date` alone the 7 days after it; with `end_date` alone the 7 days before it.",
    "While there is more, `metadata.next_cursor` is present: repeat the request with `cursor` set to it, until it is absent. A page may be short, or even empty, and still have a `next_cursor`. The cursor contains the window and the moment of the first page: trades that are published later are on no page, and nothing is lost or repeated. On later pages omit the dates or repeat them unchanged; other dates are an `invalid_cursor`. `limit` may change from page to page. A cursor does not expire, but a new release may refuse those of an earlier one: after an `invalid_cursor`, begin the window again.",
    "Each page costs its whole window, even a page of one trade. So take windows of 24 hours: longer ones never cost less, and save requests only where trades are few. On a `429` and a `503`, `Retry-After` counts **milliseconds**, which libraries take for seconds: use `retry_after_ms`.",
    "An `end_date` in the future is allowed. A `start_date` after `end_date` is a `validation_error`. A window without trades is a `200` with an empty `data`. The operator names the markets; no endpoint lists them.",
    "A trade may be listed late, corrected or withdrawn. Usually it is listed within seconds, after a failed write within half an hour, after an outage within 14 days; an import may bring trades of any age. To miss none, begin each window an hour before the end of the last one. Read each day once more when it has been over for 15 days, and when the operator says so. A trade that is no longer listed was withdrawn. `tdt` and `tid` together identify a trade of a market; of two copies keep the one that was read last. At its start, `npm start` adds the trades of the time since it last ran. Those of `demo trades` are listed within two seconds.",
    "An unknown parameter is refused by name.",
  ],
  parameters: {
    symbol: { text: "The market: BASE-QUOTE in upper case.", example: "BTC-USD" },
    start_date: {
      text: "Start of the window, included, Unix epoch milliseconds. A number of 10 digits is refused as seconds, one of 16 or 19 as microseconds or nanoseconds.",
      example: "1795467600000",
    },
    end_date: {
      text: "End of the window, included, Unix epoch milliseconds. At most 30 days, which are 2592000000 ms, after `start_date`.",
      example: "1795554000000",
    },
    cursor: { text: "`metadata.next_cursor` of the page before.", example: "AgAA…" },
    limit: { text: "The most trades of a page.", example: "1000" },
  },
  headers: {},
  success: { text: "A page of trades.", record: tradePageRecord, headers: {} },
  codes: [
    ...codesOfEvery,
    "validation_error",
    "invalid_cursor",
    "unknown_symbol",
    "insufficient_scope",
    "timestamp_in_future",
  ],
  cost: "1 token a page for every started 24 hours of `end_date - start_date`, with or without a cursor: 1 for 86400000 ms, 2 for 86400001 ms, 30 at most.",
  curl: ({ baseUrl, exchange }) => {
    const url = `${baseUrl}/1.0/trades/all/${encodeURIComponent(exchange.symbol)}?limit=5`;
    return [{ url, options: [signature(url, exchange)] }];
  },
  examples: {
    good: {
      "The record": `${TRADES}?${RECENT}`,
      "A page with more to come": `${TRADES}?${RECENT}&limit=2`,
    },
    refused: {
      validation_error: `${TRADES}?start_date=1795554000`,
      invalid_cursor: `${TRADES}?cursor=AQ`,
      unknown_symbol: `/1.0/trades/all/eth-gbp?${RECENT}`,
      rate_limited: `${TRADES}?start_date=1792962000000&end_date=1795554000000`,
    },
  },
});
