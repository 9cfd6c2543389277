import { getTransaction } from "../../lib/transactions/contract.ts";
import { codesOfEvery, describeEndpoint, header } from "./endpoint-reference.ts";
import { transactionRecord } from "./records/transaction.ts";

export const getTransactionReference = describeEndpoint({
  contract: getTransaction,
  tag: "Business accounts",
  title: "Get a transaction",
  text: [
    "Returns one transaction of the business that the access token names. A transaction of another business is a `404` like one that does not exist. A transaction whose ID you were just given elsewhere may not be stored yet: take a `404` for an answer only after five minutes, and ask every five seconds until then.",
    "To find a transaction by the request ID of its creation, use `GET /transactions` with `request_id` and `from`.",
  ],
  parameters: {
    id: {
      text: "ID of the transaction. With `id_type=request_id` (deprecated) it is the request ID of its creation; of several such transactions you get the one created last.",
      example: "tx-0001",
    },
    id_type: {
      text: "Reads `id` as a request ID. Answers then carry `Deprecation`, `Sunset` and `Link`. After `Sunset` it is a `400`.",
      example: "request_id",
      deprecated: true,
    },
  },
  headers: {},
  success: {
    text: "The transaction.",
    record: transactionRecord,
    headers: {
      Deprecation: "Only with `id_type`: since when it is deprecated (RFC 9745).",
      Sunset: "Only with `id_type`: when it will be removed (RFC 8594).",
      Link: 'Only with `id_type`: the list that replaces it, `rel="successor-version"`.',
    },
  },
  codes: [...codesOfEvery, "validation_error", "insufficient_scope", "not_found"],
  cost: "1 token a request.",
  curl: ({ baseUrl, business }) => [
    {
      url: `${baseUrl}/transaction/${encodeURIComponent(business.transactionId)}`,
      options: header(`Authorization: Bearer ${business.token}`),
    },
  ],
  examples: {
    good: {
      "The record": "/transaction/tx-0001",
      "By request ID (deprecated)": "/transaction/req-0002?id_type=request_id",
    },
    refused: {
      validation_error: "/transaction/tx-0001?id_type=reference",
      not_found: "/transaction/tx-0009",
    },
  },
});
