import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { Expression } from "../dynamo/expression.ts";
import type { PassRecord, StoredPass } from "./pass.ts";
import { passOf } from "./pass-store.ts";

/** What became of a write: done, or what was stored instead, undefined for nothing. */
export type WriteAttempt =
  | { readonly done: true }
  | { readonly done: false; readonly stored: StoredPass | undefined };

interface Change {
  readonly update: string;
  readonly condition: string;
  readonly expression: Expression;
}

/** Publishes and voids passes: the operator's side, which no function of the API is granted. */
export class PassRegister {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /** Stores a pass if there is none with its reference, or a lower version without another template. A tombstone stays. */
  publish(pass: PassRecord): Promise<WriteAttempt> {
    const expression = new Expression();
    const set = (name: string, value: AttributeValue) =>
      `${expression.name(name)} = ${expression.value(value)}`;
    const template = pass.templateId === undefined ? [] : [set("template_id", { S: pass.templateId })];
    const version = { N: String(pass.version) };
    const sets = [set("doc", { S: pass.text }), set("version", version), ...template];
    const follows = [
      expression.equals("gone_at", undefined),
      `${expression.name("version")} < ${expression.value(version)}`,
      ...template.map((same) => `(${expression.equals("template_id", undefined)} OR ${same})`),
    ];
    return this.#change(pass.partnerReference, {
      update: `SET ${sets.join(", ")}`,
      condition: `${expression.equals("partner_reference", undefined)} OR (${follows.join(" AND ")})`,
      expression,
    });
  }

  /** Gives a current pass the template that a lower version of it named, if it has none. */
  adoptTemplate(partnerReference: string, templateId: string): Promise<WriteAttempt> {
    const expression = new Expression();
    return this.#change(partnerReference, {
      update: `SET ${expression.name("template_id")} = ${expression.value({ S: templateId })}`,
      condition: `attribute_exists(${expression.name("doc")}) AND ${expression.equals("template_id", undefined)}`,
      expression,
    });
  }

  /** Leaves a tombstone in the place of a current pass. `now` is in epoch milliseconds. */
  void(partnerReference: string, now: number): Promise<WriteAttempt> {
    const expression = new Expression();
    const content = expression.names(["doc", "version", "template_id"]);
    return this.#change(partnerReference, {
      update: `SET ${expression.name("gone_at")} = ${expression.value({ N: String(now) })} REMOVE ${content}`,
      condition: `attribute_exists(${expression.name("doc")})`,
      expression,
    });
  }

  async #change(partnerReference: string, { update, condition, expression }: Change): Promise<WriteAttempt> {
    const command = new UpdateItemCommand({
      TableName: this.#tableName,
      Key: { partner_reference: { S: partnerReference } },
      UpdateExpression: update,
      ConditionExpression: condition,
      ...expression.references,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    try {
      await callStore(() => this.#client.send(command));
      return { done: true };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { done: false, stored: error.Item && passOf(error.Item) };
    }
  }
}
