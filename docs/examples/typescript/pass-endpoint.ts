/**
 * Answers for wallet passes as a partner does: credentials and scope first, then the version, the pass and its tag. Copy
 * it into a project of your own: it needs Node.js 22.18 or later, which runs TypeScript as it is, and no package.
 *
 *   node pass-endpoint.ts --tokens FILE [--port 8080] DIRECTORY
 *
 * FILE has one token a line: its SHA-256 in hex, a space, and its scopes. In DIRECTORY, <reference>.json is the pass, to the
 * letter, or null for a pass that is gone for good. A file that changes is the new state of its pass: replace it in one
 * step, by renaming another.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";

const SCOPE = "passes.read";
const VERSION_HEADER = "Service-Api-Version";
const VERSION = "2026-07-01";

interface Settings {
  readonly directory: string;
  /** The scopes of each token, by the token's SHA-256: who reads the file cannot use it. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const refusal = (status: number, code: string, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  body: JSON.stringify({ code }),
});

/** The scopes of the caller; undefined for a stranger. Here is the place for the tokens of your own issuer. */
function scopesOf({ headers }: IncomingMessage, { scopes }: Settings): readonly string[] | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return token === undefined ? undefined : scopes.get(createHash("sha256").update(token).digest("hex"));
}

/** The text of a pass; `null` for one that is gone, undefined for one that never was. Here is the place for your store. */
function passOf(url: string, { directory }: Settings): string | undefined {
  const [, reference = ""] = /^\/passes\/([^/?]+)(?:\?|$)/.exec(url) ?? [];
  try {
    const name = decodeURIComponent(reference);
    if (!/^[\w~:@-][\w.~:@-]{0,127}$/.test(name)) return undefined;
    const text = readFileSync(join(directory, `${name}.json`), "utf8").trim();
    if (text !== "") return text;
  } catch (error) {
    // A path that cannot be decoded names no pass. Any other failure must not look like a missing pass.
    if (error instanceof URIError || (error instanceof Error && "code" in error && error.code === "ENOENT"))
      return undefined;
    throw error;
  }
  throw new Error(`The file of ${reference} is empty: is it being written?`);
}

/** Whether If-None-Match names a tag, or any: a list of tags, weak or strong (RFC 9110 13.1.2). */
function isNamed(ifNoneMatch: string, tag: string): boolean {
  const tags = Array.from(ifNoneMatch.matchAll(/"[^"]*"/g), ([named]) => named);
  return ifNoneMatch.trim() === "*" || tags.includes(tag);
}

/** The answer, in this order: a stranger learns nothing, and a tag counts only where the answer would be the pass. */
function answerTo(request: IncomingMessage, settings: Settings): Answer {
  const scopes = scopesOf(request, settings);
  if (scopes === undefined) return refusal(401, "invalid_credentials", { "WWW-Authenticate": "Bearer" });
  if (!scopes.includes(SCOPE)) return refusal(403, "insufficient_scope");
  if (request.method !== "GET") return refusal(405, "method_not_allowed", { Allow: "GET" });
  if (request.headers[VERSION_HEADER.toLowerCase()] !== VERSION) return refusal(400, "unsupported_version");
  const pass = passOf(request.url ?? "", settings);
  if (pass === undefined) return refusal(404, "not_found");
  if (pass === "null") return refusal(410, "gone");
  const tag = `"${createHash("sha256").update(`${VERSION}\n${pass}`).digest("base64url")}"`;
  const headers = {
    ETag: tag,
    "Cache-Control": "private, no-cache",
    Vary: `Authorization, ${VERSION_HEADER}`,
  };
  if (isNamed(request.headers["if-none-match"] ?? "", tag)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, "Content-Type": "application/json" }, body: pass };
}

function respond(request: IncomingMessage, response: ServerResponse, settings: Settings): void {
  const requestId = String(request.headers["request-id"] ?? "");
  if (/^[\x21-\x7e]{1,128}$/.test(requestId)) response.setHeader("Request-Id", requestId);
  let answer: Answer;
  try {
    answer = answerTo(request, settings);
  } catch (error) {
    console.error(error);
    answer = refusal(503, "temporarily_unavailable", { "Retry-After": "1" });
  }
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

function readScopes(file: string): Settings["scopes"] {
  const lines = readFileSync(file, "utf8").split("\n");
  const entries = lines.map((line) => line.trim().split(/\s+/)).filter(([digest]) => digest !== "");
  return new Map(entries.map(([digest = "", ...scopes]) => [digest.toLowerCase(), scopes]));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tokens: { type: "string" },
    port: { type: "string", default: "8080" },
  },
});
const [directory] = positionals;
if (directory === undefined || values.tokens === undefined) {
  console.error("Usage: node pass-endpoint.ts --tokens FILE [--port 8080] DIRECTORY");
  process.exit(2);
}
const settings = { directory, scopes: readScopes(values.tokens) };
const server = createServer((request, response) => respond(request, response, settings));
server.listen(Number(values.port), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
