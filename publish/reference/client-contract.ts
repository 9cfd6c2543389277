import { contractBrand } from "../../lib/brand.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { sellOrderLifecycle, sellOrderStatuses } from "../../lib/sell-orders/sell-order-kinds.ts";
import { PAGE_TRADES_MAX } from "../../lib/trades/contract.ts";
import { COST_MAX } from "../../lib/trades/date-range.ts";
import { COUNT_MAX } from "../../lib/transactions/contract.ts";
import { transactionLifecycle } from "../../lib/transactions/transaction-kinds.ts";
import type { EndpointReference } from "../../local/endpoints/endpoint-reference.ts";
import type { JsonSchema } from "../../local/endpoints/json-schema.ts";
import { transactionRecord } from "../../local/endpoints/records/transaction.ts";
import { answeredRecords, answerSchemas } from "../../local/endpoints/schemas.ts";
import { shapeOf } from "./client-shapes.ts";
import { type Declarations, declareRecord, docComment } from "./client-types.ts";
import { type Parameter, parametersOf } from "./parameters.ts";

const HEAD = `// Written by \`npm run write -- reference\` from the contracts of the endpoints. Do not edit it: a test fails when it differs.

import type { Decimal } from "./decimal.ts";
import type { JsonValue } from "./exact-json.ts";
import type { Shape } from "./shape.ts";
`;

/** \`client/src/contract.ts\`: the records as types and as shapes, and what else of the contracts the client needs. */
export function clientContract(references: readonly EndpointReference[]): string {
  const schemas = answerSchemas();
  const declarations: Declarations = new Map();
  const shapes = answeredRecords.map((record) => {
    const schema = schemas[record.title] ?? {};
    const name = declareRecord(schema, record, declarations);
    return `${docComment(`The members of a {@link ${name}} that are checked.`)}export const ${lowerFirst(name)}Shape: Shape = ${literal(shapeOf(schema))};\n`;
  });
  return [
    HEAD,
    ...declarations.values(),
    transactionQuery(references, schemas),
    ...shapes,
    facts(references),
  ].join("\n");
}

const lowerFirst = (name: string): string => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/"([A-Za-z_]+)":/g, "$1:");

/** The filters of the list of transactions: its query without the cursor, which only a link gives. */
function transactionQuery(
  references: readonly EndpointReference[],
  schemas: Readonly<Record<string, JsonSchema>>,
): string {
  const list = references.find(({ contract }) => contract.name === "list-transactions");
  if (list === undefined) throw new Error("There is no list of transactions.");
  const members = parametersOf(list)
    .filter(({ name }) => name !== "cursor")
    .map((parameter) => {
      const comment = docComment(parameter.description, "  ");
      return `${comment}  readonly ${parameter.name}?: ${parameterType(parameter, schemas)} | undefined;\n`;
    });
  const text = "What is listed, by the names of the endpoint's own parameters.";
  return `${docComment(text)}export interface TransactionQuery {\n${members.join("")}}\n`;
}

function parameterType({ schema }: Parameter, schemas: Readonly<Record<string, JsonSchema>>): string {
  if (schema.type === "array") return `readonly ${wordsType(schema.items ?? {}, schemas)}[]`;
  if (Array.isArray(schema.anyOf)) return "string | Date";
  return schema.type === "integer" ? "number" : "string";
}

/** The named type of a list of words that a member of a transaction has, too. */
function wordsType({ enum: words }: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): string {
  if (words === undefined) return "string";
  const found = Object.entries(schemas.Transaction?.properties ?? {}).find(
    ([, member]) => JSON.stringify(member.enum) === JSON.stringify(words),
  );
  const named = transactionRecord.types[found?.[0] ?? ""];
  if (named === undefined) throw new Error(`The words ${JSON.stringify(words)} have no name.`);
  return named.name;
}

function facts(references: readonly EndpointReference[]): string {
  const routes = Object.fromEntries(references.map(({ contract }) => [contract.name, contract.route]));
  const finalStatuses = sellOrderStatuses.filter((status) => sellOrderLifecycle.reaches[status].length === 0);
  const { headerPrefix, versionHeader } = contractBrand;
  const consts: readonly (readonly [string, string, unknown])[] = [
    ["routes", "The route of each endpoint, by the endpoint's name.", routes],
    ["serviceCodes", "Every {@link ServiceCode}.", Object.keys(statusOf)],
    ["defaultHeaderPrefix", "What the names of the exchange's headers begin with.", headerPrefix],
    ["defaultVersionHeader", "The header that names the version of the pass contract.", versionHeader],
    ["latestPassVersion", "The latest version of the pass contract.", passContractVersions.at(-1)],
    ["PAGE_TRADES_MAX", "The most trades of a page.", PAGE_TRADES_MAX],
    ["PAGE_TRANSACTIONS_MAX", "The most transactions of a page.", COUNT_MAX],
    ["WINDOW_DAYS_MAX", "The most days of a window of trades. Each costs a token a page.", COST_MAX],
    [
      "transactionRanks",
      "The place of each state on a transaction's way: of two versions of one instant, the later one has the higher.",
      transactionLifecycle.rank,
    ],
    ["finalSellOrderStatuses", "Statuses that a sell order does not leave.", finalStatuses],
  ];
  const endpointName = `${docComment("The name of an endpoint.")}export type EndpointName = keyof typeof routes;\n`;
  return consts
    .map(
      ([name, text, value]) =>
        `${docComment(text)}export const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`,
    )
    .concat(endpointName)
    .join("\n");
}
