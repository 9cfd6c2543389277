import { isMembers, type Members } from "../json-value.ts";

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

/** Any value but an object has no members. */
const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});

/** Any value but a string counts as absent. */
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Reads an HTTP API event (payload format 2.0). Test consoles leave out or change any member, and direct invocations
 * may send anything, so no event makes this throw.
 */
export function readRequest(input: unknown): HttpRequest {
  const event = membersOf(input);
  const context = membersOf(event.requestContext);
  return {
    method: textOf(membersOf(context.http).method) ?? "",
    path: withoutStage(textOf(event.rawPath) ?? "", textOf(context.stage)),
    rawQuery: textOf(event.rawQueryString) ?? "",
    headers: readHeaders(event.headers),
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

const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(membersOf(values)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

/** An event may spell a name in several ways. All its values are joined, as the gateway joins repeated headers. */
function readHeaders(headers: unknown): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [spelling, value] of Object.entries(textsOf(headers))) {
    const name = spelling.toLowerCase();
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(joined);
}
