import { listTransactions } from "../../lib/transactions/contract.ts";
import { codesOfEvery, describeEndpoint, header } from "./endpoint-reference.ts";
import { transactionRecord } from "./records/transaction.ts";

export const listTransactionsReference = describeEndpoint({
  contract: listTransactions,
  tag: "Business accounts",
  title: "List transactions",
  text: [
    "Returns the transactions of the business that the access token names, newest first by `created_at`, as a bare array; those of the same microsecond come by descending `id`. `from` is included and `to` is not, so a window that begins at the `to` of the one before repeats nothing. When nothing matches, the answer is a `200` with `[]`.",
    'While there is more, the answer has a `Link` header with `rel="next"`: a relative URL that is only a query (`?…`). Resolve it against the URL that you requested, and change nothing in it: the cursor is only a position, and the filters and the end of the window are beside it in the link. A page has at most `count` transactions and 4 MB; it may have fewer, or none, and still a `Link`.',
    "To search for a request ID over more than 14 days, send one request for each 14 days.",
    "An unknown parameter is refused by name. Filters may be combined. New transactions and changes are usually listed within a second, but it may take longer: conclude only after five minutes that a payment was not created. A transaction that was listed may change later, even from `completed` to `reverted`, and no filter finds changes: list the same window again to see the present states, for as long as the operator says.",
  ],
  parameters: {
    from: {
      text: "Created at this instant or later. A date means 00:00 UTC. Without it the list goes back to the first record. Required with `request_id`: because clocks differ, take an instant some minutes before the payment was sent.",
      example: "2026-11-20T00:00:00Z",
      anyOf: [{ format: "date-time" }, { format: "date" }],
    },
    to: {
      text: "Created before this instant; without it, before now. If both are given, `from` must not be later than `to`. With `request_id` a window has 14 days at most, so a `from` more than 14 days ago needs a `to`. Send the `+` of a zone as `%2B`.",
      example: "2026-11-28T00:00:00Z",
      anyOf: [{ format: "date-time" }, { format: "date" }],
    },
    account: {
      text: "With a leg on this account. May be repeated up to 50 times; a transaction that matches any one value is listed.",
      example: ["acct-main"],
    },
    type: { text: "Of this type. May be repeated up to 50 times, as `account`.", example: ["transfer"] },
    state: { text: "In this state. May be repeated up to 50 times, as `account`.", example: ["completed"] },
    request_id: {
      text: "Created under this request ID, of 1 to 128 characters: the one that was given when the payment was created, and not the header `Request-Id` of a read. Several transactions may have the same one, such as a failed attempt and its repetition: all of them are listed.",
      example: "req-0001",
    },
    count: { text: "The most transactions of a page.", example: "100" },
    cursor: { text: "Where a page begins. Only a `Link` gives one.", example: "AQ…" },
  },
  headers: {},
  success: {
    text: "A page of transactions.",
    record: transactionRecord,
    isList: true,
    headers: { Link: 'The next page, `rel="next"`. Absent on the last page.' },
  },
  codes: [...codesOfEvery, "validation_error", "invalid_cursor", "insufficient_scope"],
  cost: "1 token a page.",
  curl: ({ baseUrl, business }) => [
    {
      url: `${baseUrl}/transactions?state=completed&count=5`,
      options: header(`Authorization: Bearer ${business.token}`),
    },
  ],
  examples: {
    good: {
      "The record": "/transactions?to=2026-11-28&count=2",
      "By request ID": "/transactions?request_id=req-0001&from=2026-11-20&to=2026-11-28",
    },
    refused: {
      validation_error: "/transactions?status=completed",
      invalid_cursor: "/transactions?cursor=AQ",
    },
  },
});
