/** A request as the handlers see it: nothing in it is ever null, whatever the event left out. */
export interface HttpRequest {
  readonly method: string;
  /** Path as the gateway decoded it, without a named stage; the base path of a custom domain is not in it either. */
  readonly path: string;
  /** Query string byte for byte as it was received, without its question mark. */
  readonly rawQuery: string;
  /** Headers by lower-case name; repeated ones joined with commas, as the gateway joins them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
  /** PEM of the client certificate that the gateway verified; empty when it reports one without its text. */
  readonly clientCertificate: string | undefined;
  readonly gatewayRequestId: string | undefined;
}

/** What an API Gateway event may hold; every member is optional, because test consoles and format 1.0 leave out any. */
interface GatewayEvent {
  readonly rawPath?: string;
  readonly path?: string;
  readonly rawQueryString?: string | null;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[]>> | null;
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  readonly pathParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly body?: string | null;
  readonly requestContext?: {
    readonly stage?: string;
    readonly requestId?: string;
    readonly http?: { readonly method?: string };
    readonly authentication?: {
      readonly clientCert?: { readonly clientCertPem?: string | null } | null;
    } | null;
  } | null;
  readonly httpMethod?: string;
}

/** Reads an HTTP API event (payload format 2.0), tolerating the nulls and the older names of format 1.0. */
export function readRequest(input: unknown): HttpRequest {
  const event = (typeof input === "object" && input !== null ? input : {}) as GatewayEvent;
  const context = event.requestContext ?? {};
  return {
    method: context.http?.method ?? event.httpMethod ?? "",
    path: withoutStage(event.rawPath ?? event.path ?? "", context.stage),
    rawQuery: event.rawQueryString ?? rebuildQuery(event),
    headers: lowerCaseNames(event.headers ?? {}),
    pathParameters: present(event.pathParameters ?? {}),
    hasBody: (event.body ?? "") !== "",
    clientCertificate: certificateOf(context.authentication?.clientCert),
    gatewayRequestId: context.requestId,
  };
}

/** A caller controls its headers, so no header is looked at for a certificate, whatever its name promises. */
function certificateOf(
  clientCert: { readonly clientCertPem?: string | null } | null | undefined,
): string | undefined {
  return clientCert === undefined || clientCert === null ? undefined : (clientCert.clientCertPem ?? "");
}

/** HTTP APIs put a named stage before the path, never `$default`. */
function withoutStage(path: string, stage: string | undefined): string {
  if (stage === undefined || stage === "$default") return path;
  return path === `/${stage}` || path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : path;
}

/** Format 1.0 keeps no raw query; its parameters are written out again so that none is silently ignored. */
function rebuildQuery(event: GatewayEvent): string {
  const single = present(event.queryStringParameters ?? {});
  const lists = Object.entries(single).map(([name, value]) => [name, [value]] as const);
  return Object.entries(event.multiValueQueryStringParameters ?? Object.fromEntries(lists))
    .flatMap(([name, values]) =>
      values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    )
    .join("&");
}

function present(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function lowerCaseNames(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(present(headers)).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
