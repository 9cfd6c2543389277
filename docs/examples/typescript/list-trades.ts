/**
 * Lists the trades of a market, newest first: signs each request, follows the cursor from page to page, waits when the
 * budget is used up, and keeps every digit. Copy it into a project of your own: it needs Node.js 22.18 or later, which
 * runs TypeScript as it is, and no package.
 */

import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

const USAGE = `Usage: node list-trades.ts [options] <symbol>

Prints the trades of a market, such as BTC-USD, newest first: time, side, quantity, price.

  --base-url <url>        what stands before the route, or BASE_URL
  --api-key <key>         the 64 letters and digits of your key, or API_KEY
  --private-key <file>    your Ed25519 private key, PEM, or PRIVATE_KEY_FILE
  --header-prefix <text>  what the names of the three headers begin with (default: X-Svc-)
  --start-date <ms>       first instant, in Unix epoch milliseconds
  --end-date <ms>         last instant, the same (without dates: the past seven days)
  --limit <number>        trades on a page, 1 to 1900 (default: 1900)
  --help                  prints this

Exit codes: 0 all listed, 1 refused or failed, 2 the command line is wrong, 130 stopped by Ctrl-C.`;

/** A reason to end, for the person at the terminal. */
class Problem extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

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
async function send(url: URL, signer: Signer, signal: AbortSignal): Promise<Answer> {
  try {
    // The service does not redirect, and the headers would prove this program to any host that a redirect names.
    const how = { headers: signedHeaders(url, signer), redirect: "manual", signal } as const;
    const response = await fetch(url, how);
    return { status: response.status, waitMs: waitMsOf(response), body: await response.text() };
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    const cause = error.cause instanceof Error ? error.cause.message : "";
    return { status: "no answer", waitMs: LOST_WAIT_MS, body: cause === "" ? error.message : cause };
  }
}

function readPage(body: string): Page {
  try {
    return JSON.parse(body) as Page;
  } catch {
    throw new Problem("200: the body is not JSON.");
  }
}

/**
 * One page. A 429 is waited out as it asks; a 503 and a lost connection as well, and twice as long each time. Any other
 * failure would come again.
 */
async function getPage(url: URL, signer: Signer, signal: AbortSignal): Promise<Page> {
  let failures = 0;
  for (let attempt = 1; ; attempt += 1) {
    const { status, waitMs: toldMs, body } = await send(url, signer, signal);
    if (status === 200) return readPage(body);
    const isFailing = status === 503 || status === "no answer";
    if (isFailing) failures += 1;
    const isPassing = status === 429 || (isFailing && failures < FAILURES_MAX);
    if (!isPassing || attempt === ATTEMPTS_MAX)
      throw new Problem(
        status === "no answer" ? `No answer from ${url.origin}: ${body}` : describeError(status, body),
      );
    const waitMs = isFailing ? toldMs * 2 ** (failures - 1) : toldMs;
    console.error(`${status}: waiting ${waitMs} ms`);
    await pause(waitMs, undefined, { signal });
  }
}

/** Every page of a listing, until one has no cursor. A page may be empty and have one. */
async function* listPages(first: URL, signer: Signer, signal: AbortSignal): AsyncGenerator<Page> {
  const url = new URL(first);
  for (;;) {
    const page = await getPage(url, signer, signal);
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

async function printTrades(url: URL, signer: Signer, signal: AbortSignal): Promise<void> {
  let count = 0;
  let quantity = "0";
  let currency = "";
  for await (const { data } of listPages(url, signer, signal)) {
    for (const { tdt, s = "-", q, qc, p, pc } of data) {
      console.log([new Date(tdt).toISOString(), s, q, qc, p, pc].join("\t"));
      quantity = addDecimals(quantity, q);
      currency = qc;
    }
    count += data.length;
  }
  console.error(`${count} trades, ${quantity} ${currency}`.trimEnd());
}

function readOptions() {
  try {
    const text = { type: "string" } as const;
    return parseArgs({
      allowPositionals: true,
      options: {
        "base-url": { ...text, default: process.env.BASE_URL ?? "" },
        "api-key": { ...text, default: process.env.API_KEY ?? "" },
        "private-key": { ...text, default: process.env.PRIVATE_KEY_FILE ?? "" },
        "header-prefix": { ...text, default: "X-Svc-" },
        "start-date": text,
        "end-date": text,
        limit: text,
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new Problem(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, 2);
  }
}

function given(value: string | undefined, what: string): string {
  if (value !== undefined && value !== "") return value;
  throw new Problem(`${what} is missing.\n\n${USAGE}`, 2);
}

function readKey(file: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(file));
  } catch {
    // The parser's message could show what is in the file.
    throw new Problem(`${file} cannot be read as a private key in PEM.`, 2);
  }
}

async function main(signal: AbortSignal): Promise<void> {
  const { values, positionals } = readOptions();
  if (values.help === true) return console.log(USAGE);
  const base = given(values["base-url"], "--base-url").replace(/\/$/, "");
  const address = `${base}/1.0/trades/all/${encodeURIComponent(given(positionals[0], "The symbol"))}`;
  const url = URL.parse(address);
  if (url === null) throw new Problem(`${address} is not a URL.`, 2);
  for (const name of ["start-date", "end-date", "limit"] as const) {
    const value = values[name];
    if (value !== undefined) url.searchParams.set(name.replace("-", "_"), value);
  }
  const signer = {
    apiKey: given(values["api-key"], "--api-key"),
    privateKey: readKey(given(values["private-key"], "--private-key")),
    headerPrefix: values["header-prefix"],
  };
  await printTrades(url, signer, signal);
}

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on("error", () => process.exit());

try {
  await main(stop.signal);
} catch (error) {
  if (!stop.signal.aborted && !(error instanceof Problem)) throw error;
  console.error(stop.signal.aborted ? "Stopped." : (error as Problem).message);
  process.exitCode = stop.signal.aborted ? 130 : (error as Problem).exitCode;
}
