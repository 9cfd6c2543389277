import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Endpoint, endpoints } from "../../infra/endpoints.ts";
import type { Brand } from "../../lib/brand.ts";
import { ownMember } from "../../lib/own-member.ts";
import type { DemoFile } from "../demo/demo-file.ts";
import { faultKinds } from "../faults/fault-kinds.ts";
import { commands } from "../installation.ts";
import type {
  Ed25519Jwk,
  PageCredentials,
  Session,
  SessionEndpoint,
  SessionParameter,
} from "./page-questions.ts";

export interface SessionParts {
  readonly demo: DemoFile;
  readonly brand: Brand;
  /** The text of the OpenAPI document, which describes the parameters. */
  readonly openApi: string;
  readonly markets: readonly string[];
  readonly startedAt: number;
  /** The command that starts the same again; absent where no command line has started it. */
  readonly startCommand?: string | undefined;
  readonly aheadMs: number;
}

/** What the page is told of a start: the endpoints, and the demo's credentials with the keys that it signs with. */
export async function sessionOf({
  demo,
  brand,
  openApi,
  markets,
  startedAt,
  startCommand = commands.start,
  aheadMs,
}: SessionParts): Promise<Session> {
  const document = JSON.parse(openApi) as OpenApi;
  return {
    baseUrl: demo.baseUrl,
    mutualTlsUrl: demo.passes.mtls.url,
    brand,
    credentials: await credentialsOf(demo),
    endpoints: endpoints.map(({ contract }) => endpointOf(contract, document)),
    markets,
    commands: { start: startCommand, startWith: commands.startWith, ops: commands.ops },
    faultKinds: [...faultKinds].map(([name, { effect }]) => ({ name, effect })),
    startedAt,
    aheadMs,
  };
}

async function credentialsOf({ business, ramp, passes, exchange }: DemoFile): Promise<PageCredentials> {
  const { jws, ...wallet } = passes;
  const { privateKeyFile, publicKeyFile: _, ...trading } = exchange;
  const [jwsKey, pem] = await Promise.all([
    readFile(jws.privateKeyFile, "utf8"),
    readFile(privateKeyFile, "utf8"),
  ]);
  const exchangeKey = createPrivateKey(pem).export({ format: "jwk" });
  return {
    business,
    ramp,
    passes: { ...wallet, jws: { kid: jws.kid, privateJwk: bareJwk(JSON.parse(jwsKey)) } },
    exchange: { ...trading, privateJwk: bareJwk(exchangeKey) },
  };
}

const bareJwk = ({ x = "", d = "" }: { readonly x?: string; readonly d?: string }): Ed25519Jwk => ({
  kty: "OKP",
  crv: "Ed25519",
  x,
  d,
});

function endpointOf(contract: Endpoint["contract"], document: OpenApi): SessionEndpoint {
  const { name, method, route, scheme, scope, retryAfterUnit, limit } = contract;
  return {
    name,
    method,
    route,
    scheme,
    security: securityOf(document, route),
    scope: scope ?? null,
    title: ownMember(document.paths, route)?.get?.summary ?? name,
    parameters: parametersOf(document, route),
    retryAfterUnit,
    limit: { name: limit.name, buckets: limit.defaultBuckets },
  };
}

/** As much of an OpenAPI document as the page is told of. */
export interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get?: {
          readonly summary?: string;
          readonly parameters?: readonly Given[];
          readonly security?: readonly Readonly<Record<string, unknown>>[];
        };
      }
    >
  >;
  readonly components?: {
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
    readonly parameters?: Readonly<Record<string, OpenApiParameter>>;
  };
}

interface SecurityScheme {
  readonly type: string;
  /** The header of an `apiKey`. */
  readonly name?: string;
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

/** The credentials that a route takes, each in words; several headers of one credential are a signature. */
function securityOf({ paths, components }: OpenApi, route: string): readonly string[] {
  return (ownMember(paths, route)?.get?.security ?? []).map((credential) => {
    const names = Object.keys(credential);
    const scheme = ownMember(components?.securitySchemes, names[0] ?? "");
    if (names.length > 1) return `signature (${names.length} headers)`;
    if (scheme?.type === "mutualTLS") return "client certificate";
    return scheme?.type === "http" ? "bearer token" : (scheme?.name ?? "");
  });
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
