/** A request as the handlers see it. No member is ever null, whatever the event left out. */
export interface HttpRequest {
  readonly method: string;
  /** Path as the gateway decoded it, without a named stage and without the base path of a custom domain. */
  readonly path: string;
  /** Query string byte for byte as it was received, without its question mark. */
  readonly rawQuery: string;
  /** Headers by lower-case name; repeated ones joined with commas, as the gateway joins them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
  /**
   * PEM of the client certificate that the gateway verified; empty when the event has the certificate without its PEM.
   */
  readonly clientCertificate: string | undefined;
  readonly gatewayRequestId: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Any value but an object has no members. */
const membersOf = (value: unknown): Members =>
  (typeof value === "object" && value !== null ? value : {}) as Members;

/** Any value but a string counts as absent. */
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Reads an HTTP API event (payload format 2.0), and tolerates the nulls and the older names of format 1.0. Test
 * consoles leave out or change any member, and direct invocations may send anything, so no event makes this throw.
 */
export function readRequest(input: unknown): HttpRequest {
  const event = membersOf(input);
  const context = membersOf(event.requestContext);
  const path = textOf(event.rawPath) ?? textOf(event.path) ?? "";
  return {
    method: textOf(membersOf(context.http).method) ?? textOf(event.httpMethod) ?? "",
    path: withoutStage(path, textOf(context.stage)),
    rawQuery: textOf(event.rawQueryString) ?? rebuildQuery(event),
    headers: readHeaders(event),
    pathParameters: textsOf(event.pathParameters),
    hasBody: (event.body ?? "") !== "",
    clientCertificate: certificateOf(membersOf(context.authentication).clientCert),
    gatewayRequestId: textOf(context.requestId),
  };
}

/** A caller controls its headers, so no header is read for a certificate, whatever its name. */
function certificateOf(clientCert: unknown): string | undefined {
  return clientCert === undefined || clientCert === null
    ? undefined
    : (textOf(membersOf(clientCert).clientCertPem) ?? "");
}

/** HTTP APIs put a named stage before the path, never `$default`. */
function withoutStage(path: string, stage: string | undefined): string {
  if (stage === undefined || stage === "$default") return path;
  return path === `/${stage}` || path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : path;
}

/** Format 1.0 has no raw query. Its parameters are encoded again, so that none is silently ignored. */
function rebuildQuery({ multiValueQueryStringParameters, queryStringParameters }: Members): string {
  return Object.entries(membersOf(multiValueQueryStringParameters ?? queryStringParameters))
    .flatMap(([name, values]) =>
      [values]
        .flat()
        .flatMap((value) => textOf(value) ?? [])
        .map((value) => `${encode(name)}=${encode(value)}`),
    )
    .join("&");
}

/** A text that UTF-8 cannot encode becomes `%`, which no reader of a query accepts. */
const encode = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : "%");

const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(membersOf(values)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

/** Format 1.0 keeps every value of a header under each spelling of its name; all of them are joined. */
function readHeaders({ headers, multiValueHeaders }: Members): Record<string, string> {
  const spelled = { ...membersOf(headers), ...membersOf(multiValueHeaders) };
  const joined = new Map<string, string>();
  for (const [spelling, values] of Object.entries(spelled)) {
    const name = spelling.toLowerCase();
    const texts = [joined.get(name) ?? [], values].flat().filter((value) => typeof value === "string");
    if (texts.length > 0) joined.set(name, texts.join(","));
  }
  return Object.fromEntries(joined);
}
