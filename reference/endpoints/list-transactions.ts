import { listTransactions } from "../../lib/transactions/contract.ts";
import { describeEndpoint } from "../endpoint-reference.ts";

export const listTransactionsReference = describeEndpoint({
  contract: listTransactions,
  tag: "Business accounts",
  title: "List transactions",
  text: [
    "Returns the transactions of the business that the access token names, newest first, as a bare array. `from` is included and `to` is not, so windows that meet at an instant repeat nothing.",
    'While there is more, the answer has a `Link` header with `rel="next"`: a query to append to the URL of the list. Follow it as it is. A page has at most `count` transactions and 4 MB; it may have fewer, or none, and still a `Link`.',
    "An unknown parameter is refused by name. A new transaction, or a change of one, may take about a second to be listed.",
  ],
  parameters: {
    from: {
      text: "Created at this instant or later. Without it the list goes back to the first record. Required with `request_id`.",
      example: "2026-11-20T00:00:00Z",
      anyOf: [{ format: "date-time" }, { format: "date" }],
    },
    to: {
      text: "Created before this instant. Without it: now, or `from` where that lies ahead. With `request_id` at most 14 days after `from`. A `+` of a zone is sent as `%2B`.",
      example: "2026-11-28T00:00:00Z",
      anyOf: [{ format: "date-time" }, { format: "date" }],
    },
    account: {
      text: "With a leg on this account. May be given up to 50 times: any of them.",
      example: ["acct-main"],
    },
    type: { text: "Of this type. May be given up to 50 times: any of them.", example: ["transfer"] },
    state: { text: "In this state. May be given up to 50 times: any of them.", example: ["completed"] },
    request_id: { text: "Created under this request ID.", example: "req-0001" },
    count: { text: "The most transactions of a page.", example: "100" },
    cursor: { text: "Where a page begins. Only a `Link` gives one.", example: "AQ…" },
  },
  headers: {},
  success: {
    text: "A page of transactions.",
    schema: "TransactionList",
    headers: { Link: 'The next page, `rel="next"`. Absent on the last page.' },
  },
  codes: [
    "validation_error",
    "invalid_cursor",
    "invalid_credentials",
    "insufficient_scope",
    "rate_limited",
    "internal_error",
    "service_disabled",
    "temporarily_unavailable",
  ],
  cost: "1 token a page.",
});
