import { type AttributeValue, type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { Failure } from "../errors.ts";
import type { StoredPass } from "./pass.ts";

const UNPROVEN_RETRY_AFTER_MS = 1_000;

/** Reads passes: what the endpoint's function is granted, and no more. */
export class PassStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /** The pass with a reference, current or void, by a strongly consistent read; undefined when it was never published. */
  async find(partnerReference: string): Promise<StoredPass | undefined> {
    const { Item, ConsumedCapacity } = await callStore(() =>
      this.#client.send(
        new GetItemCommand({
          TableName: this.#tableName,
          Key: { partner_reference: { S: partnerReference } },
          ConsistentRead: true,
          ReturnConsumedCapacity: "TOTAL",
        }),
      ),
    );
    if (Item !== undefined) return passOf(Item);
    if (ConsumedCapacity === undefined) throw unproven();
    return undefined;
  }
}

/** A stored item as a pass. An item that is neither a pass nor a tombstone is a fault, never an absent pass. */
export function passOf(item: Readonly<Record<string, AttributeValue>>): StoredPass {
  if (item.gone_at?.N !== undefined) return { state: "void", goneAt: Number(item.gone_at.N) };
  const [text, version] = [item.doc?.S, item.version?.N];
  if (text === undefined || version === undefined) {
    throw new Error("A stored pass lacks its text or version, and is no tombstone.");
  }
  return { state: "current", text, version: Number(version), templateId: item.template_id?.S };
}

/**
 * A read that found nothing has a price as well, and the store names it. An answer without one, such as an empty body
 * from something in between, shows nothing at all; "there is none" is final for whoever polls.
 */
const unproven = (): Failure =>
  new Failure("temporarily_unavailable", "The store's answer does not show that it read.", {
    retryAfterMs: UNPROVEN_RETRY_AFTER_MS,
  });
