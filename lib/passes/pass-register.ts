import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { Expression } from "../dynamo/expression.ts";
import { orExisting, priced } from "../dynamo/proven.ts";
import { RecordRegister } from "../dynamo/record-register.ts";
import type { RecordVersion } from "../dynamo/resolve-version.ts";
import type { Table } from "../dynamo/table.ts";
import type { putVersioned } from "../dynamo/versioned-put.ts";
import type { PassRecord, StoredPass } from "./pass.ts";
import { handOnTemplate, objectionTo } from "./pass-rules.ts";
import { passOf } from "./pass-store.ts";

/** The result of voiding: done, or what is stored instead of a current pass; undefined when nothing is. */
export type VoidAttempt =
  | { readonly done: true }
  | { readonly done: false; readonly stored: StoredPass | undefined };

/** Publishes and voids passes. It is for operators: no function of the API has the permission. */
export class PassRegister extends RecordRegister<PassRecord> {
  readonly #table: Table;

  /** @param put publishes a version, or rehearses it. */
  constructor(table: Table, put?: typeof putVersioned) {
    super(table, { key: ["partner_reference"], versionOf }, put);
    this.#table = table;
  }

  /** Replaces a current pass by a tombstone. `now` is in epoch milliseconds. */
  async void(partnerReference: string, now: number): Promise<VoidAttempt> {
    const expression = new Expression();
    const content = expression.names(["doc", "version", "template_id"]);
    const command = new UpdateItemCommand({
      TableName: this.#table.name,
      Key: { partner_reference: { S: partnerReference } },
      UpdateExpression: `SET ${expression.name("gone_at")} = ${expression.value({ N: String(now) })} REMOVE ${content}`,
      ConditionExpression: `attribute_exists(${expression.name("doc")})`,
      ...expression.references,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      ...priced,
    });
    const { answer, existing } = await orExisting((options) => this.#table.client.send(command, options));
    return answer === undefined ? { done: false, stored: existing && passOf(existing) } : { done: true };
  }
}

/** A pass as one version of what is published under its reference. */
export function versionOf({ partnerReference, text, version, templateId }: PassRecord): RecordVersion {
  const item = {
    partner_reference: { S: partnerReference },
    doc: { S: text },
    version: { N: String(version) },
    ...(templateId !== undefined && { template_id: { S: templateId } }),
  };
  return {
    item,
    shared: { name: "template_id", handOn: handOnTemplate, isKept: true },
    objection: (stored) => objectionTo(item, stored),
  };
}
