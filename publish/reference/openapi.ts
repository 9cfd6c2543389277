import type { ErrorCode } from "../../lib/errors.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { parseExactJson } from "../../lib/json/exact-json.ts";
import { type EndpointReference, schemaOf, tags } from "../../local/endpoints/endpoint-reference.ts";
import { type JsonSchema, mapValues } from "../../local/endpoints/json-schema.ts";
import { answerSchemas } from "../../local/endpoints/schemas.ts";
import { challenge, commonHeaders, type ResponseHeader, retryAfter } from "./common-headers.ts";
import { parametersOf } from "./parameters.ts";
import type { RecordedExample } from "./recorded-example.ts";
import { securityOf, securitySchemes } from "./security.ts";

/** An endpoint with the examples that were recorded of it. */
export interface DocumentedEndpoint {
  readonly reference: EndpointReference;
  readonly examples: readonly RecordedExample[];
}

const JSON_TYPE = "application/json";

/** The whole service as one document of OpenAPI 3.1. Numbers in examples keep their digits when it is written. */
export function openApiDocument(endpoints: readonly DocumentedEndpoint[], version: string): object {
  const paths = Object.groupBy(endpoints, ({ reference }) => reference.contract.route);
  return {
    openapi: "3.1.1",
    info: {
      title: "countinghouse",
      version,
      summary: "Financial read interfaces.",
      description:
        "A business's transactions, a wallet pass callback, an exchange's trade history, and a crypto ramp's sell orders. Every amount keeps the digits it was booked with: each `number` of an answer is one, to be read as a decimal, because a double loses digits (docs/amounts.md shows how generated clients keep them). New members, and new words in place of those of an `enum`, may be added to answers, which the schemas allow.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "http://127.0.0.1:3000", description: "What `npm start` runs" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: mapValues(paths as Record<string, DocumentedEndpoint[]>, (ofRoute) =>
      Object.fromEntries(
        ofRoute.map((endpoint) => [endpoint.reference.contract.method.toLowerCase(), operation(endpoint)]),
      ),
    ),
    components: {
      schemas: mapValues(answerSchemas(), forGenerators),
      headers: commonHeaders,
      parameters: { RequestId: requestIdParameter },
      securitySchemes,
    },
  };
}

/** Words of today, beside which a client has to take others: in this form generators keep both. */
const openWords = (words: unknown): JsonSchema => ({
  anyOf: [{ type: "string", enum: words }, { type: "string" }],
});

/** The schema of an answer as generators should read it: words are open, and an amount says what its type loses. */
function forGenerators(schema: JsonSchema): JsonSchema {
  const { type, enum: words, ...others } = schema;
  if (words !== undefined) return { ...others, ...openWords(words) };
  if (type === "number")
    return {
      ...schema,
      description: `${schema.description} A double loses digits of it: read it as a decimal.`,
      format: "decimal",
    };
  return {
    ...schema,
    ...(schema.items !== undefined && { items: forGenerators(schema.items) }),
    ...(schema.properties !== undefined && { properties: mapValues(schema.properties, forGenerators) }),
  };
}

const requestIdParameter = {
  name: "Request-Id",
  in: "header",
  required: false,
  description:
    "1 to 128 visible ASCII characters that the answer carries as well. Without it, a new id is made.",
  schema: { type: "string", minLength: 1, maxLength: 128 },
  example: "reconcile-2026-11-28-0001",
};

/** `get-transaction` → `getTransaction`, as generated clients name their functions. */
const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function operation({ reference, examples }: DocumentedEndpoint): object {
  const { contract, tag, title, text, cost } = reference;
  return {
    operationId: camelCase(contract.name),
    tags: [tag],
    summary: title,
    description: [...text, `Cost: ${cost}`].join("\n\n"),
    security: securityOf[tag],
    parameters: [...parametersOf(reference), { $ref: "#/components/parameters/RequestId" }],
    responses: responsesOf(reference, examples),
    "x-rate-limit": { cost, buckets: contract.limit.defaultBuckets },
  };
}

function responsesOf(reference: EndpointReference, examples: readonly RecordedExample[]): object {
  const { contract, success, notModified, codes } = reference;
  const byStatus = Map.groupBy(codes, (code) => statusOf[code]);
  const shown = (status: number) => examplesOf(examples.filter(({ response }) => response.status === status));
  const headers = mapValues(success.headers, stringHeader);
  return {
    "200": {
      description: success.text,
      headers: { ...commonReferences, ...headers },
      content: {
        [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${schemaOf(success)}` }, examples: shown(200) },
      },
    },
    ...(notModified !== undefined && {
      "304": { description: notModified, headers: { ...commonReferences, ...headers } },
    }),
    ...Object.fromEntries(
      [...byStatus].map(([status, ofStatus]) => [
        status,
        {
          description: ofStatus.map((code) => `\`${code}\``).join(", "),
          headers: { ...commonReferences, ...failureHeaders(status, contract) },
          content: {
            [JSON_TYPE]: { schema: errorSchemaOf(ofStatus), examples: shown(status) },
          },
        },
      ]),
    ),
  };
}

const stringHeader = (description: string): ResponseHeader => ({ description, schema: { type: "string" } });

const commonReferences = mapValues(commonHeaders, (_, name) => ({ $ref: `#/components/headers/${name}` }));

function failureHeaders(status: number, { scheme, retryAfterUnit }: EndpointReference["contract"]): object {
  if (status === 401 || (status === 403 && scheme === "Bearer")) return { "WWW-Authenticate": challenge };
  return status === 429 || status === 503 ? { "Retry-After": retryAfter(retryAfterUnit) } : {};
}

/** The body of an error that has one of these codes. */
const errorSchemaOf = (codes: readonly ErrorCode[]): JsonSchema => ({
  allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { code: openWords(codes) } }],
});

const examplesOf = (examples: readonly RecordedExample[]): object =>
  Object.fromEntries(
    examples.map(({ name, response }) => [name, { summary: name, value: parseExactJson(response.body) }]),
  );
