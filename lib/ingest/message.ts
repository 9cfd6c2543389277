import * as z from "zod/mini";
import { type Checked, notOk } from "../checked.ts";
import { isOwnerId, OWNER_ID_RULE } from "../id.ts";
import { messageOf, reasonOf } from "../json/check-document.ts";
import { memberPath } from "../json/member-path.ts";
import { lengthCheck } from "../json/members.ts";
import { isMembers, parsedJson } from "../json-value.ts";
import { isSymbol } from "../markets/market.ts";
import { REVISION_MAX } from "../trades/segment.ts";
import { cutElements, cutMembers } from "./cut-json.ts";
import type { RejectionReason } from "./rejection.ts";
import { wrapperOf } from "./wrappers.ts";

/** The kinds of records that a message may bring. */
export const recordKinds = ["transaction", "sell_order", "trade", "pass", "market"] as const;

export type RecordKind = (typeof recordKinds)[number];

/** The most records in one message. */
export const MESSAGE_RECORDS_MAX = 1_000;

/** The most bytes of a message's body. SQS counts attributes too, so 16 KiB remain for them in a message of 256 KiB. */
export const MESSAGE_BYTES_MAX = 240 * 1024;

/** What a message says about all of its records. */
export interface MessageHead {
  readonly kind: RecordKind;
  /** The business of transactions, the partner of sell orders, the market's symbol of trades; else undefined. */
  readonly owner?: string | undefined;
  /** Of trades: 0, which is the default, for first reports, a higher number for corrections. */
  readonly revision?: number | undefined;
}

/** A message that keeps its contract. Its records are not judged yet. */
interface IngestMessage extends MessageHead {
  /** The text of each record, exactly as the message spells it. */
  readonly records: readonly string[];
}

const ownerId = z.string().check(z.refine(isOwnerId, `must be ${OWNER_ID_RULE}`));
const symbol = z.string().check(z.refine(isSymbol, "must be a market's symbol, such as BTC-USD"));
const revision = z
  .number()
  .check(
    z.refine(
      (value) => Number.isInteger(value) && value >= 0 && value <= REVISION_MAX,
      `must be a whole number from 0 to ${REVISION_MAX}`,
    ),
  );

/** Exactly one of these two has the records. Only their number is looked at here. */
const records = {
  /** One document, as the imports take it on a line. */
  record: z.optional(z.unknown()),
  /** Several documents of the same kind and owner. */
  records: z.optional(
    z
      .array(z.unknown())
      .check(
        lengthCheck(z.minLength(1, "must have a record")),
        lengthCheck(z.maxLength(MESSAGE_RECORDS_MAX, `must have at most ${MESSAGE_RECORDS_MAX} records`)),
      ),
  ),
};

/** The shape of a message's body, by its kind. */
export const messageShape = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("transaction"), owner: ownerId, ...records }),
    z.strictObject({ kind: z.literal("sell_order"), owner: ownerId, ...records }),
    z.strictObject({
      kind: z.literal("trade"),
      owner: symbol,
      revision: z.optional(revision),
      ...records,
    }),
    z.strictObject({ kind: z.literal("pass"), ...records }),
    z.strictObject({ kind: z.literal("market"), ...records }),
  ],
  `must be one of ${recordKinds.join(", ")}`,
);

/** A message that was read, or why all of it is rejected; `detail` names members and repeats no value. */
export type ReadMessage =
  | { readonly ok: true; readonly message: IngestMessage }
  | { readonly ok: false; readonly reason: RejectionReason; readonly detail: string };

const unusable = (reason: RejectionReason, detail: string): ReadMessage => ({ ok: false, reason, detail });

/**
 * Reads the body of a message, and cuts its records out of the text. A byte order mark and white space around it do not count,
 * as for a line of an import.
 */
export function readMessage(given: string): ReadMessage {
  if (Buffer.byteLength(given) > MESSAGE_BYTES_MAX)
    return unusable("too_large", `the message must not be larger than ${MESSAGE_BYTES_MAX} bytes`);
  const body = given.trim();
  const document = parsedJson(body);
  if (!isMembers(document))
    return unusable("not_json", wrapperOf(body, document) ?? "the message must be one JSON object");
  const parts = cutMembers(body);
  const head = checkHead(
    document,
    parts.map(([name]) => name),
  );
  if (!head.ok && hasKnownKind(document)) return unusable("invalid_message", head.reason);
  if (!head.ok) return unusable("unknown_kind", wrapperOf(body, document) ?? head.reason);
  const [[name, text] = ["", ""]] = parts.filter(([part]) => part === "record" || part === "records");
  return { ok: true, message: { ...head.value, records: name === "record" ? [text] : cutElements(text) } };
}

const hasKnownKind = (document: object): boolean =>
  "kind" in document && recordKinds.some((kind) => kind === document.kind);

function checkHead(document: object, names: readonly string[]): Checked<MessageHead> {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return notOk(`${memberPath([twice])} is given twice`);
  const checked = messageShape.safeParse(document, { error: messageOf });
  if (!checked.success) return notOk(reasonOf(checked.error.issues));
  const { record: _one, records: _several, ...head } = checked.data;
  // Null is a record too, and a wrong one.
  if ("record" in document === "records" in document)
    return notOk("exactly one of record and records must be given");
  return { ok: true, value: head };
}
