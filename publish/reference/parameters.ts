import type { EndpointReference, ParameterText } from "../../local/endpoints/endpoint-reference.ts";
import { type JsonSchema, parameterSchema, parameterShapes } from "../../local/endpoints/json-schema.ts";

/** A parameter as OpenAPI has it. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** The parameters of an endpoint by its contract, and the request headers that its reference names. */
export function parametersOf({ contract, parameters, headers }: EndpointReference): Parameter[] {
  const repeatable: readonly string[] = contract.repeatable;
  return [
    ...Object.entries(parameterShapes(contract)).map(([name, shape]): Parameter => {
      const given = parameters[name];
      if (given === undefined) throw new Error(`${contract.name}: ${name} has no text.`);
      const isInPath = contract.route.includes(`{${name}}`);
      return {
        name,
        in: isInPath ? "path" : "query",
        required: isInPath,
        ...(repeatable.includes(name) && { style: "form", explode: true }),
        ...parameterParts(given, parameterSchema(shape)),
      };
    }),
    ...Object.entries(headers).map(
      ([name, { isRequired, ...given }]): Parameter => ({
        name,
        in: "header",
        required: isRequired,
        ...parameterParts(given, { type: "string" }),
      }),
    ),
  ];
}

function parameterParts(
  { text, example, deprecated, ...keywords }: ParameterText,
  schema: JsonSchema,
): Pick<Parameter, "description" | "deprecated" | "schema" | "example"> {
  return {
    description: text,
    ...(deprecated === true && { deprecated }),
    schema: { ...schema, ...keywords },
    example: schema.type === "integer" ? Number(example) : example,
  };
}
