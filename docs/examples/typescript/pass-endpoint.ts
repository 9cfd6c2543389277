/**
 * Answers for wallet passes as a partner does: credentials and scope first, then the version, the pass and its tag. Copy
 * it into a project of your own: it needs Node.js 22.18 or later, which runs TypeScript as it is, and no package.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";

const USAGE = `Usage: node pass-endpoint.ts [options] <directory>

Answers GET /passes/{partner_reference} from a directory: <reference>.json is the pass, to the letter, or null for a pass
that is gone for good. A file that changes is the new state of its pass: replace it in one step, by renaming another.

  --tokens <file>           one token a line: its SHA-256 in hex, a space, and its scopes, or TOKENS_FILE
  --port <number>           0 for any free port (default: 8080)
  --version-header <name>   the header of the contract version (default: Service-Api-Version)
  --contract-version <day>  the contract version (default: 2026-07-01)
  --help                    prints this`;

const SCOPE = "passes.read";

interface Settings {
  readonly directory: string;
  /** The scopes of each token, by the token's SHA-256: who reads the file cannot use it. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly versionHeader: string;
  readonly version: string;
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
  const { versionHeader, version } = settings;
  const scopes = scopesOf(request, settings);
  if (scopes === undefined) return refusal(401, "invalid_credentials", { "WWW-Authenticate": "Bearer" });
  if (!scopes.includes(SCOPE)) return refusal(403, "insufficient_scope");
  if (request.method !== "GET") return refusal(405, "method_not_allowed", { Allow: "GET" });
  if (request.headers[versionHeader.toLowerCase()] !== version) return refusal(400, "unsupported_version");
  const pass = passOf(request.url ?? "", settings);
  if (pass === undefined) return refusal(404, "not_found");
  if (pass === "null") return refusal(410, "gone");
  const tag = `"${createHash("sha256").update(`${version}\n${pass}`).digest("base64url")}"`;
  const headers = {
    ETag: tag,
    "Cache-Control": "private, no-cache",
    Vary: `Authorization, ${versionHeader}`,
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
    tokens: { type: "string", default: process.env.TOKENS_FILE ?? "" },
    port: { type: "string", default: "8080" },
    "version-header": { type: "string", default: "Service-Api-Version" },
    "contract-version": { type: "string", default: "2026-07-01" },
    help: { type: "boolean", default: false },
  },
});
const [directory] = positionals;
if (values.help || directory === undefined || values.tokens === "") {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
const settings = {
  directory,
  scopes: readScopes(values.tokens),
  versionHeader: values["version-header"],
  version: values["contract-version"],
};
const server = createServer((request, response) => respond(request, response, settings));
server.listen(Number(values.port), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
