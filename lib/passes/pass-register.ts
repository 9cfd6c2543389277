import {
  type AttributeValue,
  ConditionalCheckFailedException,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { Expression } from "../dynamo/expression.ts";
import { priced, provenWrite } from "../dynamo/proven.ts";
import type { Table } from "../dynamo/table.ts";
import type { PassRecord, StoredPass } from "./pass.ts";
import { passOf } from "./pass-store.ts";
import type { PassReplacement } from "./resolve-pass.ts";

/** The result of a write: done, or the pass that is stored instead; undefined when there is none. */
export type WriteAttempt =
  | { readonly done: true }
  | { readonly done: false; readonly stored: StoredPass | undefined };

interface Change {
  readonly update: string;
  readonly condition: string;
  readonly expression: Expression;
}

/** The update that publishes a pass, and the part of it that sets the template, if the pass names one. */
function publication(pass: PassRecord, expression: Expression, corrections?: string) {
  const set = (name: string, value: AttributeValue) =>
    `${expression.name(name)} = ${expression.value(value)}`;
  const template = pass.templateId === undefined ? [] : [set("template_id", { S: pass.templateId })];
  const sets = [
    set("doc", { S: pass.text }),
    set("version", { N: String(pass.version) }),
    ...template,
    ...(corrections === undefined ? [] : [set("corrections", { S: corrections })]),
  ];
  return { template, update: `SET ${sets.join(", ")}` };
}

/** Publishes and voids passes. It is for operators: no function of the API has the permission. */
export class PassRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Stores a pass if its reference has none, or has a lower version that no correction has touched and that has no
   * other template. A tombstone stays.
   */
  put(pass: PassRecord): Promise<WriteAttempt> {
    const expression = new Expression();
    const { update, template } = publication(pass, expression);
    const follows = [
      ...["gone_at", "corrections"].map((attribute) => expression.equals(attribute, undefined)),
      `${expression.name("version")} < ${expression.value({ N: String(pass.version) })}`,
      ...template.map((same) => `(${expression.equals("template_id", undefined)} OR ${same})`),
    ];
    return this.#change(pass.partnerReference, {
      update,
      condition: `${expression.equals("partner_reference", undefined)} OR (${follows.join(" AND ")})`,
      expression,
    });
  }

  /** Stores a pass if its reference has none. */
  putFirst(pass: PassRecord): Promise<WriteAttempt> {
    const expression = new Expression();
    const { update } = publication(pass, expression);
    const condition = expression.equals("partner_reference", undefined);
    return this.#change(pass.partnerReference, { update, condition, expression });
  }

  /** Stores a pass in place of the one that was seen, if that one is still stored unchanged. */
  replace({ pass, seen, corrections }: PassReplacement): Promise<WriteAttempt> {
    const expression = new Expression();
    const { update } = publication(pass, expression, corrections);
    const textOrNone = (text: string | undefined) => (text === undefined ? undefined : { S: text });
    const stillAsSeen = [
      expression.equals("doc", { S: seen.text }),
      expression.equals("version", { N: String(seen.version) }),
      expression.equals("template_id", textOrNone(seen.templateId)),
      expression.equals("corrections", textOrNone(seen.corrections)),
    ];
    return this.#change(pass.partnerReference, { update, condition: stillAsSeen.join(" AND "), expression });
  }

  /** Gives a current pass without a template the one that a lower version of it named. */
  adoptTemplate(partnerReference: string, templateId: string): Promise<WriteAttempt> {
    const expression = new Expression();
    return this.#change(partnerReference, {
      update: `SET ${expression.name("template_id")} = ${expression.value({ S: templateId })}`,
      condition: `attribute_exists(${expression.name("doc")}) AND ${expression.equals("template_id", undefined)}`,
      expression,
    });
  }

  /** Replaces a current pass by a tombstone. `now` is in epoch milliseconds. */
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
      TableName: this.#table.name,
      Key: { partner_reference: { S: partnerReference } },
      UpdateExpression: update,
      ConditionExpression: condition,
      ...expression.references,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      ...priced,
    });
    try {
      await provenWrite((options) => this.#table.client.send(command, options));
      return { done: true };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { done: false, stored: error.Item && passOf(error.Item) };
    }
  }
}
