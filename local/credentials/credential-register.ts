import { isDeepStrictEqual } from "node:util";
import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { Credential } from "../../lib/auth/credential.ts";
import { attributesOfNotes, type CredentialNotes } from "../../lib/auth/credential-notes.ts";
import { type CredentialRow, listCredentials, rowOf } from "../../lib/auth/list-credentials.ts";
import { Expression } from "../../lib/dynamo/expression.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { orExisting, priced, provenWrite } from "../../lib/dynamo/proven.ts";
import type { Table } from "../../lib/dynamo/table.ts";

/** Who revoked a credential, and why. */
type Revocation = Pick<CredentialNotes, "revokedBy" | "revokedReason">;

/** Issues, labels, lists, replaces and revokes credentials. It is for operators: no function of the API has the permission. */
export class CredentialRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Stores a credential, unless one with its id is there already, which stays as it is. An identical one counts as
   * stored, because the answer to an earlier attempt may have been lost.
   *
   * @returns false when another one is there.
   */
  async add(credential: Credential, notes: CredentialNotes = {}): Promise<boolean> {
    const item = { ...itemOf(credential), ...attributesOfNotes(notes) };
    const command = new PutItemCommand({
      TableName: this.#table.name,
      Item: item,
      ConditionExpression: "attribute_not_exists(#id)",
      ExpressionAttributeNames: { "#id": "id" },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      ...priced,
    });
    const done = await orExisting(() => this.#table.client.send(command));
    return done.answer !== undefined || isDeepStrictEqual(done.existing, item);
  }

  /**
   * Revokes the credential of a row for good, even of an unreadable row. The first revocation stays as it is.
   *
   * @returns the row as it is then; undefined when there is no row with this id.
   */
  revoke(id: string, now: number, why: Revocation = {}): Promise<CredentialRow | undefined> {
    return this.#update(id, {
      set: { revoked_at: instant(now), ...attributesOfNotes(why) },
      unless: (expression) => `attribute_exists(${expression.name("revoked_at")})`,
    });
  }

  /**
   * Gives a credential that has a successor its end (epoch ms). The end is only ever brought forward, and a revoked
   * credential stays as it is.
   *
   * @returns the row as it is then; undefined when there is no row with this id.
   */
  async replace(id: string, successor: string, endsAt: number): Promise<CredentialRow | undefined> {
    const name = { successor: { S: successor } };
    await this.#update(id, { set: name });
    return await this.#update(id, {
      set: { expires_at: instant(endsAt) },
      unless: (expression) => {
        const [end, revoked] = [expression.name("expires_at"), expression.name("revoked_at")];
        return `attribute_exists(${revoked}) OR ${end} <= ${expression.value(instant(endsAt))}`;
      },
    });
  }

  /**
   * Gives a credential a label, in place of one that it has, or takes its label away.
   *
   * @returns the row as it is then; undefined when there is no row with this id.
   */
  label(id: string, label: string | undefined): Promise<CredentialRow | undefined> {
    return this.#update(id, label === undefined ? { remove: "label" } : { set: { label: { S: label } } });
  }

  async #update(id: string, change: RowChange): Promise<CredentialRow | undefined> {
    const command = new UpdateItemCommand({
      TableName: this.#table.name,
      Key: { id: { S: id } },
      ...updateOf(change),
      ReturnValues: "ALL_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      ...priced,
    });
    const { answer, existing } = await orExisting(() => this.#table.client.send(command));
    const item = answer?.Attributes ?? existing;
    return item && rowOf(item);
  }

  /** Removes a credential; a missing one is not an error. */
  async remove(id: string): Promise<void> {
    const command = new DeleteItemCommand({ TableName: this.#table.name, Key: { id: { S: id } }, ...priced });
    await provenWrite(() => this.#table.client.send(command));
  }

  /** Every row, in no order. An unreadable row does not keep back the others. */
  list(): AsyncGenerator<CredentialRow> {
    return listCredentials(this.#table);
  }
}

/** A change of a row that exists. */
interface RowChange {
  readonly set?: Item;
  /** The attribute that is taken away, where none is set. */
  readonly remove?: string;
  /** The state in which the row is left as it is. */
  readonly unless?: (expression: Expression) => string;
}

function updateOf({ set = {}, remove, unless }: RowChange) {
  const expression = new Expression();
  const sets = Object.entries(set).map(
    ([name, value]) => `${expression.name(name)} = ${expression.value(value)}`,
  );
  const exists = `attribute_exists(${expression.name("id")})`;
  return {
    UpdateExpression: remove === undefined ? `SET ${sets.join(", ")}` : `REMOVE ${expression.name(remove)}`,
    ConditionExpression: unless === undefined ? exists : `${exists} AND NOT (${unless(expression)})`,
    ...expression.references,
  };
}

/** An instant in epoch milliseconds as it is stored. */
const instant = (epochMs: number): Item[string] => ({ N: String(epochMs) });

/** A credential as it is stored. */
const itemOf = (credential: Credential): Item => ({
  id: { S: credential.id },
  kind: { S: credential.kind },
  owner: { S: credential.owner },
  scopes: { S: credential.scopes.join(" ") },
  ...(credential.publicKey !== undefined && { public_key: { S: credential.publicKey } }),
  created_at: instant(credential.createdAt),
  ...(credential.expiresAt !== undefined && { expires_at: instant(credential.expiresAt) }),
  ...(credential.revokedAt !== undefined && { revoked_at: instant(credential.revokedAt) }),
});
