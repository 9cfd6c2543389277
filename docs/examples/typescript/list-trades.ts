/**
 * Lists the trades of a market, newest first: signs each request, follows the cursor from page to page, waits when the
 * budget is used up, and keeps every digit. Copy it into a project of your own: it needs Node.js 22.18 or later, which
 * runs TypeScript as it is, and no package.
 *
 *   node list-trades.ts BTC-USD [limit=1900] [start_date=1795467600000] [end_date=1795554000000]
 *
 * In the environment it needs BASE_URL, API_KEY (the 64 letters and digits of your key) and PRIVATE_KEY_FILE (Ed25519,
 * PEM). HEADER_PREFIX is what the names of the three headers begin with, if it is not X-Svc-.
 */

import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

interface Signer {
  readonly apiKey: string;
  readonly privateKey: KeyObject;
  readonly headerPrefix: string;
}

/** A trade as the interface has it, as far as this program looks at it. Amounts are text: no float may touch them. */
interface Trade {
  readonly tdt: number;
  readonly p: string;
  readonly pc: string;
  readonly q: string;
  readonly qc: string;
  readonly s?: "buy" | "sell";
}

interface Page {
  readonly data: readonly Trade[];
  readonly metadata: { readonly next_cursor?: string };
}

/** Headers for a GET of exactly this URL. They are good for some seconds, so each attempt is signed anew. */
function signedHeaders(url: URL, { apiKey, privateKey, headerPrefix }: Signer): Record<string, string> {
  const timestamp = String(Date.now());
  // The path is signed decoded, the query as it is sent and without its question mark.
  const text = `${timestamp}GET${decodeURIComponent(url.pathname)}${url.search.slice(1)}`;
  return {
    [`${headerPrefix}API-Key`]: apiKey,
    [`${headerPrefix}Timestamp`]: timestamp,
    [`${headerPrefix}Signature`]: sign(null, Buffer.from(text), privateKey).toString("base64"),
  };
}

const ATTEMPTS_MAX = 10;
const UNTOLD_WAIT_MS = 1_000;
/** The most failures in a row: answers of 503, and connections that end without an answer. */
const FAILURES_MAX = 4;
const LOST_WAIT_MS = 250;

/** How long a refusal asks to wait: this interface counts `Retry-After` in milliseconds, not in seconds as others do. */
function waitMsOf({ headers }: Response): number {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : UNTOLD_WAIT_MS;
}

/** An error of the interface says a code for programs and a message for people. What stands in front of it may not. */
function describeError(status: number, body: string): string {
  try {
    const { code = "", message, error_id: errorId = "unknown" } = JSON.parse(body);
    if (typeof message === "string")
      return `${`${status} ${code}`.trimEnd()}: ${message} (error_id ${errorId})`;
  } catch {
    // It is not JSON.
  }
  return `${status}: ${body.slice(0, 200)}`;
}

/** The whole answer to one request, or the reason why there is none. */
interface Answer {
  readonly status: number | "no answer";
  readonly waitMs: number;
  readonly body: string;
}

/** The body belongs to the request: a connection may end in the middle of it. */
async function send(url: URL, signer: Signer): Promise<Answer> {
  try {
    // The service does not redirect, and the headers would prove this program to any host that a redirect names.
    const response = await fetch(url, { headers: signedHeaders(url, signer), redirect: "manual" });
    return { status: response.status, waitMs: waitMsOf(response), body: await response.text() };
  } catch (error) {
    const { cause = error } = error as Error;
    return { status: "no answer", waitMs: LOST_WAIT_MS, body: String(cause) };
  }
}

/**
 * One page. A 429 is waited out as it asks; a 503 and a lost connection as well, and twice as long each time. Any other
 * failure would come again.
 */
async function getPage(url: URL, signer: Signer): Promise<Page> {
  let failures = 0;
  for (let attempt = 1; ; attempt += 1) {
    const { status, waitMs: toldMs, body } = await send(url, signer);
    if (status === 200) return JSON.parse(body) as Page;
    const isFailing = status === 503 || status === "no answer";
    if (isFailing) failures += 1;
    const isPassing = status === 429 || (isFailing && failures < FAILURES_MAX);
    if (!isPassing || attempt === ATTEMPTS_MAX)
      throw new Error(
        status === "no answer" ? `No answer from ${url.origin}: ${body}` : describeError(status, body),
      );
    const waitMs = isFailing ? toldMs * 2 ** (failures - 1) : toldMs;
    console.error(`${status}: waiting ${waitMs} ms`);
    await pause(waitMs);
  }
}

/** Every page of a listing, until one has no cursor. A page may be empty and have one. */
async function* listPages(first: URL, signer: Signer): AsyncGenerator<Page> {
  const url = new URL(first);
  for (;;) {
    const page = await getPage(url, signer);
    yield page;
    if (page.metadata.next_cursor === undefined) return;
    url.searchParams.set("cursor", page.metadata.next_cursor);
  }
}

/** The exact sum of two decimals that are not negative. */
function addDecimals(one: string, other: string): string {
  const decimalsOf = (text: string) => text.split(".")[1]?.length ?? 0;
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  const unitsOf = (text: string) => BigInt(text.replace(".", "") + "0".repeat(decimals - decimalsOf(text)));
  const digits = String(unitsOf(one) + unitsOf(other)).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

async function printTrades(url: URL, signer: Signer): Promise<void> {
  let count = 0;
  let quantity = "0";
  let currency = "";
  for await (const { data } of listPages(url, signer)) {
    for (const { tdt, s = "-", q, qc, p, pc } of data) {
      console.log([new Date(tdt).toISOString(), s, q, qc, p, pc].join("\t"));
      quantity = addDecimals(quantity, q);
      currency = qc;
    }
    count += data.length;
  }
  console.error(`${count} trades, ${quantity} ${currency}`.trimEnd());
}

function setting(name: string): string {
  const value = process.env[name] ?? "";
  if (value === "") throw new Error(`${name} is not set.`);
  return value;
}

function readKey(file: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(file));
  } catch {
    throw new Error(`${file} cannot be read as a private Ed25519 key in PEM.`);
  }
}

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on("error", () => process.exit());

try {
  const [symbol = setting("SYMBOL"), ...parameters] = parseArgs({ allowPositionals: true }).positionals;
  const url = new URL(`${setting("BASE_URL")}/1.0/trades/all/${encodeURIComponent(symbol)}`);
  for (const [name, value] of new URLSearchParams(parameters.join("&"))) url.searchParams.set(name, value);
  await printTrades(url, {
    apiKey: setting("API_KEY"),
    privateKey: readKey(setting("PRIVATE_KEY_FILE")),
    headerPrefix: process.env.HEADER_PREFIX ?? "X-Svc-",
  });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
