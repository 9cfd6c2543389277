import * as z from "zod/mini";
import { tokenEnv } from "../auth/settings.ts";
import { brandEnv } from "../brand.ts";
import { sharedEnv, tableEnv } from "../env.ts";
import type { EndpointContract } from "../http/contract.ts";
import { parseInstant } from "../instant.ts";
import { instantParameter, oneOf, wholeNumber } from "../parameter-schemas.ts";
import { rateLimitEnv } from "../rate-limit/settings.ts";
import { transactionStates, transactionTypes } from "./transaction-kinds.ts";

/** The most transactions on a page. */
export const COUNT_MAX = 1_000;
const COUNT_DEFAULT = 100;
/** The most repetitions of one filter: enough for every account of a business, and bounded for DynamoDB. */
const REPEATS_MAX = 50;

const text = z.string();
const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.optional(z.array(item).check(z.maxLength(REPEATS_MAX, `is given more than ${REPEATS_MAX} times`)));

const limit = {
  name: "business",
  costMax: 1,
  defaultBuckets: [{ name: "business", burst: 60, refillTokens: 20, refillWindowMs: 1_000 }],
} as const;

const businessEnv = {
  ...sharedEnv,
  ...tableEnv("TRANSACTIONS_TABLE"),
  ...tokenEnv,
  ...rateLimitEnv(limit),
} as const;

const instantSetting = z
  .string()
  .check(
    z.refine((text) => parseInstant(text) !== undefined, "must be an instant such as 2027-01-01T00:00:00Z"),
  );

const business = {
  method: "GET",
  scheme: "Bearer",
  scope: "transactions.read",
  retryAfterUnit: "seconds",
  cacheControl: "no-store",
  limit,
} as const;

/** `GET /transaction/{id}` (contract: business accounts, retrieve a transaction). An id of any shape is looked up. */
export const getTransaction = {
  ...business,
  name: "get-transaction",
  route: "/transaction/{id}",
  path: z.object({ id: z._default(text, "") }),
  query: z.object({ id_type: z.optional(oneOf(["request_id"])) }),
  repeatable: [],
  env: z.object({
    ...businessEnv,
    BASE_PATH: brandEnv.BASE_PATH,
    ID_TYPE_DEPRECATED_AT: instantSetting,
    ID_TYPE_SUNSET_AT: instantSetting,
  }),
} as const satisfies EndpointContract;

/** `GET /transactions`: the list that replaces the lookup by request id (contract: retrieve a transaction, rule 2). */
export const listTransactions = {
  ...business,
  name: "list-transactions",
  route: "/transactions",
  path: z.object({}),
  query: z.object({
    from: z.optional(instantParameter()),
    to: z.optional(instantParameter()),
    account: listOf(text),
    type: listOf(oneOf(transactionTypes)),
    state: listOf(oneOf(transactionStates)),
    request_id: z.optional(text),
    count: z._default(wholeNumber(1, COUNT_MAX), COUNT_DEFAULT),
    cursor: z.optional(text),
  }),
  repeatable: ["account", "type", "state"],
  refusesUnknown: true,
  env: z.object(businessEnv),
} as const satisfies EndpointContract;
