import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Endpoint } from "../../infra/endpoints.ts";
import type { Brand } from "../../lib/brand.ts";
import type { DemoFile } from "../demo/demo-file.ts";
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
  readonly endpoints: readonly Endpoint[];
  /** The text of the OpenAPI document, which describes the parameters. */
  readonly openApi: string;
  readonly startedAt: number;
}

/** What the page is told of a start: the endpoints, and the demo's credentials with the keys that it signs with. */
export async function sessionOf({
  demo,
  brand,
  endpoints,
  openApi,
  startedAt,
}: SessionParts): Promise<Session> {
  const document = JSON.parse(openApi) as OpenApi;
  return {
    baseUrl: demo.baseUrl,
    mutualTlsUrl: demo.passes.mtls.url,
    brand,
    credentials: await credentialsOf(demo),
    endpoints: endpoints.map(({ contract }) => endpointOf(contract, document)),
    startedAt,
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

/** As much of the OpenAPI document as is read here. */
interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly (OpenApiParameter | { readonly $ref: string })[];
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: SessionParameter["in"];
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly items?: { readonly enum?: readonly string[] };
  };
}

function endpointOf(contract: Endpoint["contract"], { paths }: OpenApi): SessionEndpoint {
  const { name, method, route, scheme, scope, retryAfterUnit, limit } = contract;
  const operation = paths[route]?.get;
  const parameters = (operation?.parameters ?? []).filter(
    (parameter): parameter is OpenApiParameter => "name" in parameter,
  );
  return {
    name,
    method,
    route,
    scheme,
    scope: scope ?? null,
    title: operation?.summary ?? name,
    parameters: parameters.map(parameterOf),
    retryAfterUnit,
    limit: { name: limit.name, buckets: limit.defaultBuckets },
  };
}

function parameterOf({
  name,
  in: place,
  required,
  description,
  example,
  schema,
}: OpenApiParameter): SessionParameter {
  const choices = schema?.enum ?? schema?.items?.enum;
  return {
    name,
    in: place,
    isRequired: required === true,
    isRepeatable: schema?.type === "array",
    text: description ?? "",
    ...(example !== undefined && { example: [example].flat().join(",") }),
    ...(choices !== undefined && { choices }),
  };
}
