import type { Expression } from "../dynamo/expression.ts";
import { isId } from "../id.ts";
import type { TransactionQuery } from "./transaction-page.ts";

/** The conditions that a listed transaction must meet, beyond its position. */
export type TransactionFilter = Pick<
  TransactionQuery,
  "businessId" | "requestId" | "accounts" | "types" | "states"
>;

/** The partition of the index by request. The last `#` separates the parts: those of a request id are encoded. */
export const requestKey = (businessId: string, requestId: string): string =>
  `${businessId}#${requestId.replace(/[%#]/g, encodeURIComponent)}`;

/** The positions of a listing to be searched, newest first. */
export interface PositionRange {
  /** Both ends are inclusive; an instant sorts before every position at that instant. */
  readonly lower: string;
  readonly upper: string;
  /** A position inside, of which only earlier ones are searched. */
  readonly after: string | undefined;
}

/** All positions: the bounds sort before and after every position. */
export const wholeRange: PositionRange = { lower: "0", upper: "9", after: undefined };

/** A condition on the sort key of either index. */
export const withinRange = (expression: Expression, { lower, upper }: PositionRange): string =>
  `${expression.name("created_key")} BETWEEN ${expression.texts([lower])} AND ${expression.texts([upper])}`;

/** The filters beyond the key, and other clauses; undefined when there are none. */
export function filterText(
  expression: Expression,
  { accounts = [], types = [], states = [] }: TransactionFilter,
  others: readonly string[] = [],
) {
  const clauses = [...others];
  const onAccounts = [...new Set(accounts.filter(isId))].map(
    (account) => `contains(${expression.name("accounts")}, ${expression.texts([account])})`,
  );
  if (onAccounts.length > 0) clauses.push(`(${onAccounts.join(" OR ")})`);
  const addOneOf = (attribute: string, allowed: readonly string[]) => {
    if (allowed.length === 0) return;
    clauses.push(`${expression.name(attribute)} IN (${expression.texts([...new Set(allowed)])})`);
  };
  addOneOf("type", types);
  addOneOf("state", states);
  return clauses.length === 0 ? undefined : { FilterExpression: clauses.join(" AND ") };
}
