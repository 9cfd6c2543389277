import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type FollowOptions,
  type FollowSource,
  type PassChange,
  type SellOrder,
  TransactionFollow,
} from "../../client/src/index.ts";
import { systemClock } from "../../lib/clock.ts";
import { epochMsOf } from "../../lib/instant.ts";
import { normaliseOrderId } from "../../lib/sell-orders/order-id.ts";
import { COUNT_MAX } from "../../lib/transactions/contract.ts";
import { fileProblem, OperatorError } from "../../local/process/operator-error.ts";
import { instantText } from "../terminal/write-table.ts";
import type { Connection } from "./connection.ts";
import { describeChange } from "./describe-change.ts";
import { type Followed, tell } from "./follow.ts";
import { onOneLine } from "./json-text.ts";
import { parseMoment } from "./moment.ts";
import { listTransactions } from "./readers.ts";

/** A version of a transaction, with its text. */
type Sent = Readonly<Record<"id" | "state" | "updated_at" | "line", string>>;

/** The transactions of a business that change from an instant on; from now unless one is given. */
export function followedTransactions(from: string | undefined): Followed<Sent> {
  const now = systemClock();
  const since = from === undefined ? now : epochMsOf(parseMoment(from, now));
  return {
    name: "business",
    begin: (connection, options) => {
      const { signal } = options;
      const platform = { now: systemClock, sleep: (ms: number) => sleep(ms, undefined, { signal }) };
      return new TransactionFollow(sourceOf(connection, options), platform, { since, ...options });
    },
    changeOf: ({ id, state, updated_at: instant, line }) => ({
      type: "transaction.changed",
      instant,
      line,
      data: line,
      version: [id, instant, state],
    }),
  };
}

/** The transactions of the connection's business, each with its text. */
function sourceOf(connection: Connection, options: FollowOptions): FollowSource<Sent> {
  const { client, recorder } = connection;
  const { signal, onWait } = options;
  return {
    list: async function* (query) {
      const all = listTransactions(connection, { ...query, count: COUNT_MAX }, { signal, onWait });
      for await (const { transaction, line } of all)
        yield { id: transaction.id, state: transaction.state, updated_at: transaction.updated_at, line };
    },
    get: async (id) => {
      const { state, updated_at } = await client.business.transaction(id, { signal, onWait });
      return { id, state, updated_at, line: onOneLine(await recorder.body) };
    },
  };
}

/** Sell orders of a partner: those that are named, and those of a file, which is read at each look. */
export const followedOrders = (ids: readonly string[], file: string | undefined): Followed<SellOrder> => ({
  name: "ramp",
  begin: ({ client }, options) =>
    client.ramp.follow(
      { [Symbol.iterator]: () => [...ids, ...(file === undefined ? [] : idsIn(file))].values() },
      {
        ...options,
        onMissing: (id) => tell(`${id} is not there yet. It is asked for again, for ten minutes.`),
      },
    ),
  changeOf: async ({ id, updated_at: instant }, { recorder }) => {
    const line = onOneLine(await recorder.body);
    // A correction may bring an earlier version back, which is another change.
    const version = [id, line, instantText(systemClock())];
    return { type: "sell_order.changed", instant, line, data: line, version };
  },
  isEndless: file !== undefined,
});

/** The ids in a file, one a line. The last line may be half written. */
function idsIn(file: string): readonly string[] {
  const lines = textOf(file)
    .split("\n")
    .map((line) => line.trim());
  const ids = lines.map(normaliseOrderId);
  if (ids.at(-1) === undefined) ids.pop();
  const wrong = ids.findIndex((id, at) => id === undefined && lines[at] !== "");
  if (wrong === -1) return ids.filter((id) => id !== undefined);
  throw new OperatorError(
    `${file}: line ${wrong + 1} must be the id of an order, which is a UUID or a ULID.`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${fileProblem(error)}.`, error);
  }
}

const WORDS: ReadonlyMap<number, string> = new Map([
  [200, "the pass"],
  [304, "unchanged"],
  [404, "there is no such pass"],
  [410, "the pass is gone"],
]);

/** A pass, as the wallet service polls it: each answer is told, and what a customer would see of a change. */
export const followedPass = (reference: string): Followed<PassChange> => ({
  name: "passes",
  begin: ({ client }, options) => client.passes.follow([reference], options),
  changeOf: (change) => {
    const instant = instantText(systemClock());
    if (change.status === 404 && change.before === undefined) return undefined;
    if (change.status !== 200) {
      const data = JSON.stringify({ partner_reference: reference });
      return { type: "pass.gone", instant, line: undefined, data, version: [reference, instant] };
    }
    const { before, text } = change;
    describeChange(before, text).forEach(tell);
    const line = onOneLine(text);
    return { type: "pass.changed", instant, line, data: line, version: [reference, line, instant] };
  },
  onAnswer: (status) =>
    tell(`${instantText(systemClock())}  ${status}  ${WORDS.get(status) ?? "not the pass"}`),
});
