import { ConditionalCheckFailedException, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { CorrectionOrder } from "../corrections.ts";
import { unavailable } from "../errors.ts";
import { ownMember } from "../own-member.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import { Expression } from "./expression.ts";
import { type Item, textOf } from "./item.ts";
import { priced, provenWrite } from "./proven.ts";
import { resolveVersion, type VersionedRecord, written } from "./resolve-version.ts";
import type { Table } from "./table.ts";

/** Another writer of the same record won each lost round. */
const ROUNDS_MAX = 16;

/** The attributes by which a version is resolved. */
const RESOLVED_BY = ["doc", "version", "spelled", "corrections"];

/**
 * Stores a version of a record unless the stored one is as new, by one conditional put. Only when the condition fails
 * is the stored item examined, and the next put succeeds only if that item is still there. With a correction, the
 * version also replaces a newer one.
 *
 * @throws {Failure} when the store does not answer, or when other writers keep getting in between.
 */
export async function putVersioned(
  table: Table,
  record: VersionedRecord,
  correction?: CorrectionOrder,
): Promise<WriteOutcome> {
  const isHandedOn = record.handOn !== undefined;
  const first = await tryPut(table, record.item, isHandedOn ? stillAs({}) : supersedes(record.item));
  if (first.isDone) return written(record, first.before);
  return await settleVersion(first.stored, record, {
    correction,
    put: (item, seen) => putIfStill(table, item, seen),
  });
}

/** How a version takes the place of a stored item. */
export interface VersionSettling {
  readonly correction?: CorrectionOrder | undefined;
  /** Puts an item in place of the one that was seen, if that one is still stored. */
  readonly put: (item: Item, seen: Item) => Promise<Attempt>;
}

/**
 * Resolves a version against the item that is stored, an empty one where there is none, until a put succeeds or none is
 * needed.
 *
 * @throws {Failure} `temporarily_unavailable` when other writers keep getting in between.
 */
export async function settleVersion(
  seen: Item,
  record: VersionedRecord,
  { correction, put }: VersionSettling,
): Promise<WriteOutcome> {
  let stored = seen;
  for (let round = 1; round < ROUNDS_MAX; round++) {
    const { outcome, item } = resolveVersion(stored, record, correction);
    if (item === undefined) return outcome;
    const attempt = await put(item, stored);
    if (attempt.isDone) return outcome;
    stored = attempt.stored;
  }
  throw unavailable("Other writers of the record were faster each time.");
}

/** Puts an item in place of the one that was seen, if that one is still stored; an empty one stands for none. */
export const putIfStill = (table: Table, item: Item, seen: Item): Promise<Attempt> =>
  tryPut(table, item, stillAs(seen));

interface Condition {
  readonly text: string;
  readonly expression: Expression;
}

/** Holds when nothing is stored, or an earlier version, uncorrected. `resolveVersion` decides the other cases. */
function supersedes(item: Item): Condition {
  const expression = new Expression();
  const earlier = `${expression.name("version")} < ${expression.texts([textOf(item, "version")])}`;
  const uncorrected = expression.equals("corrections", undefined);
  return {
    text: `${expression.equals("doc", undefined)} OR (${earlier} AND ${uncorrected})`,
    expression,
  };
}

/** Holds while the item that was seen is still stored. */
function stillAs(seen: Item): Condition {
  const expression = new Expression();
  const clauses = RESOLVED_BY.map((attribute) => expression.equals(attribute, ownMember(seen, attribute)));
  return { text: clauses.join(" AND "), expression };
}

/** The result of a put: done, with the replaced item; or not done, with the item in its way, which may be empty. */
export type Attempt =
  | { readonly isDone: true; readonly before: Item | undefined }
  | { readonly isDone: false; readonly stored: Item };

async function tryPut(table: Table, item: Item, condition: Condition): Promise<Attempt> {
  const put = new PutItemCommand({
    TableName: table.name,
    Item: item,
    ConditionExpression: condition.text,
    ...condition.expression.references,
    ReturnValues: "ALL_OLD",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    ...priced,
  });
  try {
    const { Attributes } = await provenWrite((options) => table.client.send(put, options));
    return { isDone: true, before: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { isDone: false, stored: error.Item ?? {} };
  }
}
