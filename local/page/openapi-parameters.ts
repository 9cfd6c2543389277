import { ownMember } from "../../lib/own-member.ts";
import type { SessionParameter } from "./page-questions.ts";

/** As much of an OpenAPI document as the page is told of. */
export interface OpenApi {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly summary?: string; readonly parameters?: readonly Given[] } }>
  >;
  readonly components?: { readonly parameters?: Readonly<Record<string, OpenApiParameter>> };
}

type Given = OpenApiParameter | { readonly $ref: string };

type Scalar = string | number | boolean;

interface OpenApiParameter {
  readonly name: string;
  readonly in: SessionParameter["in"];
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly example?: Scalar | readonly Scalar[];
  readonly schema?: {
    readonly type?: string;
    readonly default?: Scalar;
    readonly enum?: readonly string[];
    readonly items?: { readonly enum?: readonly string[] };
  };
}

const REFERENCE = "#/components/parameters/";

/** The parameters of a route, in the order of the document. */
export function parametersOf({ paths, components }: OpenApi, route: string): readonly SessionParameter[] {
  return (ownMember(paths, route)?.get?.parameters ?? []).flatMap((given) => {
    const found =
      "$ref" in given ? ownMember(components?.parameters, given.$ref.slice(REFERENCE.length)) : given;
    return found === undefined ? [] : [parameterOf(found)];
  });
}

function parameterOf(parameter: OpenApiParameter): SessionParameter {
  const { name, in: place, required, deprecated, description, example, schema } = parameter;
  const choices = schema?.enum ?? schema?.items?.enum;
  const fallback = schema?.default;
  return {
    name,
    in: place,
    isRequired: required === true,
    isRepeatable: schema?.type === "array",
    isDeprecated: deprecated === true,
    text: description ?? "",
    ...(example !== undefined && { example: [example].flat().join(",") }),
    ...(fallback !== undefined && { default: String(fallback) }),
    ...(choices !== undefined && { choices }),
  };
}
