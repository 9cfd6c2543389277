import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ErrorCode } from "../../lib/errors.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { type EndpointReference, schemaOf } from "../../local/endpoints/endpoint-reference.ts";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
import type { JsonSchema } from "../../local/endpoints/json-schema.ts";
import { answerSchemas } from "../../local/endpoints/schemas.ts";

/** A validator of JSON Schema 2020-12 that checks formats, and throws for a keyword that it does not know. */
export function newValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  return ajv;
}

const SCHEMAS = "#/components/schemas/";

/** A validator of each body by the name of its schema, which refuses members that the schema does not name. */
function bodyValidators(): ReadonlyMap<string, ValidateFunction> {
  const ajv = newValidator();
  const schemas = Object.entries(answerSchemas({ isClosed: true }));
  for (const [name, schema] of schemas) ajv.addSchema(withOwnReferences(schema), name);
  return new Map(schemas.map(([name]) => [name, ajv.getSchema(name) as ValidateFunction]));
}

/** A schema that refers to others by their names alone, as they are added. */
const withOwnReferences = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll(SCHEMAS, ""));

const validators = bodyValidators();

/** What an answer has to be held to the reference by. */
export interface SeenAnswer {
  /** Path and query of the request, without a base path. */
  readonly target: string;
  readonly status: number;
  readonly body: string;
}

/** What the reference does not say of an answer: nothing for one that it describes, or that is not a function's. */
export function unsaid({ target, status, body }: SeenAnswer): string[] {
  const reference = referenceOf(target);
  if (reference === undefined || isGatewaysOwn(status, body)) return [];
  if (status === 304)
    return reference.notModified === undefined || body !== "" ? ["no 304 is described"] : [];
  if (status !== 200) return unsaidOfFailure(reference, status, body);
  return unsaidOfBody(schemaOf(reference.success), body);
}

const referenceOf = (target: string): EndpointReference | undefined => {
  const [path = ""] = target.split("?");
  return endpointReferences.find(({ contract }) =>
    new RegExp(`^${contract.route.replaceAll(".", "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`).test(path),
  );
};

/** API Gateway's own bodies have a message and nothing else. */
const isGatewaysOwn = (status: number, body: string): boolean =>
  status >= 400 && !body.includes('"error_id"');

function unsaidOfFailure({ codes }: EndpointReference, status: number, body: string): string[] {
  const { code } = JSON.parse(body) as { readonly code: ErrorCode };
  const isDescribed = codes.includes(code) && statusOf[code] === status;
  return [...(isDescribed ? [] : [`no ${status} ${code} is described`]), ...unsaidOfBody("Error", body)];
}

function unsaidOfBody(schema: string, body: string): string[] {
  const validate = validators.get(schema);
  if (validate === undefined) return [`there is no schema ${schema}`];
  if (validate(JSON.parse(body))) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${schema}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
