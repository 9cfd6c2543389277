import { Buffer } from "node:buffer";

/** A header line: a name, as it is spelt on the wire, and a value. */
export type Field = readonly [name: string, value: string];

/** A request as it stands on the wire, with nothing that a library would tidy up. */
export interface HttpMessage {
  /** `GET` unless given. */
  readonly method?: string;
  /** Path and query, base path included. Each character is one byte. */
  readonly target: string;
  readonly headers?: readonly Field[];
  /** 1.1 unless given. */
  readonly version?: "1.0" | "1.1";
  /** The values of the `Host` lines, in place of one that names the address. */
  readonly hosts?: readonly string[];
  readonly body?: string;
  /** Adds a header, so that the request line and the values of all headers have so many bytes together. */
  readonly fillToBytes?: number;
}

/** A request, or bytes that are none. */
export type Message = HttpMessage | { readonly bytes: string };

/** By which operators find these requests in their logs. */
const USER_AGENT: Field = ["User-Agent", "countinghouse-compare"];
const FILLER = "X-Filler";

/** The bytes of a message to a host, after which the server is asked to close the connection. */
export function bytesOf(message: Message, host: string): Buffer {
  if ("bytes" in message) return Buffer.from(message.bytes, "latin1");
  const line = `${methodOf(message)} ${message.target} HTTP/${message.version ?? "1.1"}`;
  const fields: readonly Field[] = [
    ...(message.hosts ?? [host]).map((value): Field => ["Host", value]),
    USER_AGENT,
    ...(message.headers ?? []),
    ["Connection", "close"],
  ];
  const lines = [
    line,
    ...withFiller(line, fields, message.fillToBytes).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${message.body ?? ""}`, "latin1");
}

/** The method of a message; bytes that are not a request count as a GET, whose answer may have a body. */
export const methodOf = (message: Message): string =>
  "bytes" in message ? "GET" : (message.method ?? "GET");

function withFiller(line: string, fields: readonly Field[], bytes: number | undefined): readonly Field[] {
  if (bytes === undefined) return fields;
  const before = fields.reduce((sum, [, value]) => sum + value.length, line.length);
  return [...fields, [FILLER, "x".repeat(Math.max(0, bytes - before))]];
}
