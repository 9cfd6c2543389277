import * as z from "zod/mini";
import { MESSAGE_RECORDS_MAX, messageShape, type RecordKind } from "../../lib/ingest/message.ts";
import type { JsonSchema } from "../../publish/reference/json-schema.ts";
import type { ImportKind, ImportKindName } from "./import-kinds.ts";

/** The kind of a message with such records, and an owner for its example where it needs one. */
const MESSAGES: Readonly<Record<ImportKindName, { readonly kind: RecordKind; readonly owner?: string }>> = {
  transactions: { kind: "transaction", owner: "acme" },
  "sell-orders": { kind: "sell_order", owner: "acme" },
  passes: { kind: "pass" },
  trades: { kind: "trade", owner: "BTC-USD" },
  markets: { kind: "market" },
};

/** A kind of record as the body of a message to the queue: with one record, or with several. */
export function messageForm(name: ImportKindName, { schema, example, rules }: ImportKind): ImportKind {
  const { kind, owner } = MESSAGES[name];
  const { $schema, title: _, ...record } = schema;
  const head = owner === undefined ? `"kind":"${kind}"` : `"kind":"${kind}","owner":"${owner}"`;
  return {
    schema: {
      $schema,
      title: `Message of the kind ${kind}`,
      ...bodyOf(kind, record),
      oneOf: [{ required: ["record"] }, { required: ["records"] }],
    },
    // The record's own text is kept, because parsing it would lose digits.
    example: `{${head},"record":${example}}`,
    command: "aws sqs send-message --queue-url URL --message-body",
    rules,
  };
}

function bodyOf(kind: RecordKind, record: JsonSchema): JsonSchema & { readonly type: string } {
  const shape = messageShape._zod.def.options.find(
    (option) => option._zod.def.shape.kind._zod.def.values[0] === kind,
  );
  const { $schema: _, ...body } = z.toJSONSchema(shape ?? messageShape, {
    unrepresentable: "any",
  }) as JsonSchema;
  const { properties, required = [] } = body;
  return {
    ...body,
    type: "object",
    required: required.filter((name) => name !== "record" && name !== "records"),
    properties: {
      ...properties,
      record: { ...record, description: "One record." },
      records: {
        type: "array",
        description: "Several records of the same kind and owner.",
        items: record,
        minItems: 1,
        maxItems: MESSAGE_RECORDS_MAX,
      },
    },
  };
}
