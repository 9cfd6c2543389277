import * as z from "zod/mini";
import { contractBrand } from "../../lib/brand.ts";
import { MESSAGE_RECORDS_MAX, messageShape, type RecordKind } from "../../lib/ingest/message.ts";
import { SERVED_BYTES_MAX } from "../../lib/json/check-document.ts";
import { TEXT_BYTES_MAX } from "../../lib/json/exact-json.ts";
import { ownMember } from "../../lib/own-member.ts";
import { DIGITS_MAX } from "../../lib/trades/decimal.ts";
import type { JsonSchema } from "../../local/endpoints/json-schema.ts";
import { importSchemas } from "../../local/endpoints/schemas.ts";

/** One kind of record as an import takes it. */
export interface ImportKind {
  /** JSON Schema 2020-12 of one document. */
  readonly schema: JsonSchema & { readonly $schema: string; readonly title: string; readonly type: string };
  /** One line of a file to import. */
  readonly example: string;
  /** The command that takes such a file, without the program's name. */
  readonly command: string;
  /** What an import checks beside the schema: sentences. */
  readonly rules: readonly string[];
}

/** The kinds, by the names that commands have for them. */
export const importKindNames = ["transactions", "sell-orders", "passes", "trades", "markets"] as const;
export type ImportKindName = (typeof importKindNames)[number];

/** What an import checks of documents of every kind. */
const EVERY_KIND = [
  `A document is UTF-8 of ${TEXT_BYTES_MAX / 1_024} KiB at most, gives no member twice, and nests 16 levels at most.`,
  "A number keeps its digits and lies within the range of a double.",
];
const ABSENT =
  "An optional member that is null, an empty or blank text, or an empty list or object counts as absent.";
const EVERY_RECORD = [
  ...EVERY_KIND,
  `As it is served, a document has ${SERVED_BYTES_MAX / 1_024} KiB at most.`,
  ABSENT,
  "An instant exists in the calendar, and is in 1970 or later.",
];
const NO_DOTS = "An ID is neither `.` nor `..`.";
const NOT_AHEAD = "`updated_at` is not more than a day ahead of the clock.";

interface Details extends Omit<ImportKind, "schema"> {
  readonly title: string;
  /** The kind of a message with such records, and an owner for its example where it needs one. */
  readonly message: { readonly kind: RecordKind; readonly owner?: string };
}

const DETAILS: Readonly<Record<ImportKindName, Details>> = {
  transactions: {
    title: "transaction",
    message: { kind: "transaction", owner: "acme" },
    example:
      '{"id":"example-tx-1","type":"card_payment","request_id":"order-2291","state":"completed","created_at":"2026-01-31T09:30:00Z","updated_at":"2026-01-31T09:31:12Z","completed_at":"2026-01-31T09:31:12Z","merchant":{"name":"Green Bean Imports","city":"Bristol","category_code":"5499","country":"GBR"},"reference":"Order 2291","legs":[{"leg_id":"example-leg-1","amount":-47.80,"fee":0.25,"currency":"GBP","account_id":"example-account-1","description":"Green coffee","balance":1204.15}]}',
    command: "import transactions --business acme",
    rules: [
      ...EVERY_RECORD,
      NO_DOTS,
      NOT_AHEAD,
      "`completed_at` is there when `state` is `completed`, and else only when it is `reverted`.",
      "`merchant` is there only for the types that come from a card.",
      "`counterparty.account_type` is `self`, `external` or the deployment's word for an account of its own.",
      "Two legs are only between own accounts: of the types `exchange` and `transfer`, or with `account_type` `self`.",
      "`card.card_number` is masked: at most its first 8 and last 4 digits, with * for the others.",
      "The names in `card.references` differ.",
      "`reason_code` counts only while `state` is `declined` or `failed`.",
    ],
  },
  "sell-orders": {
    title: "sell-order",
    message: { kind: "sell_order", owner: "acme" },
    example: `{"id":"01KDVDNA00VZKWFKRQVAMZW1GZ","fiat":{"amount":2860.52,"currency":"EUR"},"crypto":{"amount":0.991438254750782685,"currencyId":"ETH"},"fees":{"ramp_fee":{"amount":28.89,"currency":"EUR"},"partner_fee":{"amount":14.45,"currency":"EUR"}},"exchange_rate":2914.37,"payment":"${contractBrand.ownAccount}","created_at":"2026-01-31T09:30:00Z","updated_at":"2026-01-31T09:42:00Z","status":"PROCESSING","wallet":"0x52908400098527886E0F7030069857D2E4169EE7","transaction_hash":"0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b","fees_partner_currency":{"ramp_fee":{"amount":33.80,"currency":"USD"}}}`,
    command: "import sell-orders --partner acme",
    rules: [
      ...EVERY_RECORD,
      NOT_AHEAD,
      "`fees_partner_currency` is there; null means `{}`, no exchange rate.",
      "`payment` is the deployment's word for an account of its own.",
      "`fail_reason` counts only while `status` is `FAILED`.",
    ],
  },
  passes: {
    title: "pass",
    message: { kind: "pass" },
    example:
      '{"partner_reference":"example-pass-1","template_id":"template-7","type":"boarding_pass","version":1,"semantics":{"seat":"14C","gate":"B22"},"relevant_at":"2026-12-24T17:40:00Z","actions":[{"type":"open_url","url":"https://airline.example/bookings/K7Q2"}],"triggers":[{"type":"time","at":"2026-12-24T15:40:00Z"}]}',
    command: "import passes",
    rules: [...EVERY_RECORD, NO_DOTS, "`version` is written in digits only."],
  },
  trades: {
    title: "trade",
    message: { kind: "trade", owner: "BTC-USD" },
    example:
      '{"tdt":1769851800123,"p":"64250.10","q":"0.01500000","tid":"0000000000000000000000004711af02","s":"buy"}',
    command: "import trades --market BTC-USD",
    rules: [
      ...EVERY_KIND,
      "`tdt` and `pdt` are written in digits only, and are not more than a day and a year ahead of the clock.",
      "`aid`, `pc`, `pn`, `qc`, `qn`, `ve` and `vp` may be left out; given, they are those of the market and the venue.",
      `A price or a quantity has ${DIGITS_MAX} digits at most.`,
      "`tid` as a number is written in at most 32 digits.",
    ],
  },
  markets: {
    title: "market",
    message: { kind: "market" },
    example: '{"symbol":"PEPE-USD","anm":"Pepe"}',
    command: "send markets",
    rules: [...EVERY_KIND, ABSENT],
  },
};

/** What an import takes, of one kind. */
export function importKind(name: ImportKindName): ImportKind {
  const { title, message: _, ...details } = DETAILS[name];
  return { ...details, schema: ownMember(importSchemas(), title) as ImportKind["schema"] };
}

/** A kind of record as the body of a message to the queue: with one record, or with several. */
export function messageForm(name: ImportKindName, { schema, example, rules }: ImportKind): ImportKind {
  const { kind, owner } = DETAILS[name].message;
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
