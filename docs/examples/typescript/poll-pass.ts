/**
 * Polls a wallet pass as a wallet service does: signs each request by a detached JWS, sends the tag of the last answer,
 * waits as long as it is told, stops when the pass is gone, and keeps every digit. Copy it into a project of your own:
 * it needs Node.js 22.18 or later, which runs TypeScript as it is, and no package.
 */

import { createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

const USAGE = `Usage: node poll-pass.ts [options] <partner reference>

Prints each answer, and what changed in the pass, until the pass is gone.

  --base-url <url>          what stands before the route, or BASE_URL
  --jws-key <file>          your private Ed25519 key, a JWK with its kid, or JWS_KEY_FILE
  --every <seconds>         from one poll to the next (default: 60)
  --times <number>          how many polls at most (default: no end)
  --version-header <name>   the header of the contract version (default: Service-Api-Version)
  --contract-version <day>  the contract version (default: 2026-07-01)
  --help                    prints this

Exit codes: 0 the pass is gone or there were enough polls, 1 refused, 2 the command line is wrong, 130 stopped by Ctrl-C.`;

/** A reason to end, for the person at the terminal. */
class Problem extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** A detached JWS for a GET of this URL: good for five minutes, and with its `jti` for one request. */
function jwsSignature(url: URL, { kid, privateKey }: SigningKey): string {
  const iat = Math.floor(Date.now() / 1000);
  // The path may be signed as it is sent: its percent-encoding is undone before it is compared.
  const header = { alg: "EdDSA", kid, iat, jti: randomUUID(), htm: "GET", htp: url.pathname };
  const part = Buffer.from(JSON.stringify(header)).toString("base64url");
  const signature = sign(null, Buffer.from(`${part}.`), privateKey);
  return `${part}..${signature.toString("base64url")}`;
}

interface PollOptions {
  readonly url: URL;
  readonly key: SigningKey;
  readonly everyMs: number;
  readonly timesMax: number;
  readonly versionHeader: string;
  readonly version: string;
}

/** The result of a poll. Without an answer the program goes on: the next poll may get one. */
interface Answer {
  readonly status: number | "no answer";
  readonly headers: Headers;
  readonly body: string;
}

/** What is known of the pass: the tag of the last 200, and each value by its path, as it was written. */
interface Known {
  readonly tag: string | undefined;
  readonly values: ReadonlyMap<string, string>;
}

type Reviver = (name: string, value: unknown, context: { readonly source: string }) => unknown;

/** A number as it was written: a float would make 1284.5 of 1284.50. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Parses JSON and keeps the digits of its numbers. TypeScript does not know the reviver's third parameter yet. */
function parseExact(text: string): unknown {
  const keepDigits: Reviver = (_name, value, { source }) =>
    typeof value === "number" ? new Digits(source) : value;
  try {
    return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
  } catch {
    throw new Problem("200: the body is not JSON.");
  }
}

/** Every value of a document by its path, such as `semantics.points`. */
function valuesOf(value: unknown, path = ""): [string, string][] {
  if (value instanceof Digits) return [[path, value.text]];
  if (typeof value !== "object" || value === null) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, member]) =>
    valuesOf(member, path === "" ? name : `${path}.${name}`),
  );
}

function changesOf(before: Known["values"], after: Known["values"]): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `  ${path}: ${before.get(path) ?? "(nothing)"} -> ${after.get(path) ?? "(nothing)"}`);
}

const WAIT_MS_MIN = 1_000;
/** The most that a timer takes: after a longer time it fires at once. */
const WAIT_MS_MAX = 2 ** 31 - 1;

/** How long a refusal asks to wait: seconds or a date, as HTTP has it. The date counts by the server's clock, not by ours. */
function waitMsOf({ headers }: Answer, untoldMs: number): number {
  const text = headers.get("retry-after") ?? "";
  const untilMs = Date.parse(text) - Date.parse(headers.get("date") ?? new Date().toUTCString());
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : untilMs;
  return Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, Number.isNaN(waitMs) ? untoldMs : waitMs));
}

/** An error of the interface says a code for programs and a message for people. What stands in front of it may not. */
function describeError({ status, body }: Answer): string {
  try {
    const { code = "", message, error_id: errorId = "unknown" } = JSON.parse(body);
    if (typeof message === "string")
      return `${`${status} ${code}`.trimEnd()}: ${message} (error_id ${errorId})`;
  } catch {
    // It is not JSON.
  }
  return `${status}: ${body.slice(0, 200)}`;
}

/** Asks for the pass, with the tag of the state that is known. */
async function ask(options: PollOptions, tag: string | undefined, signal: AbortSignal): Promise<Answer> {
  const { url, key, versionHeader, version } = options;
  const headers = {
    [versionHeader]: version,
    "Jws-Signature": jwsSignature(url, key),
    ...(tag !== undefined && { "If-None-Match": tag }),
  };
  try {
    // The service does not redirect, and the headers would prove this program to any host that a redirect names.
    const response = await fetch(url, { headers, redirect: "manual", signal });
    return { status: response.status, headers: response.headers, body: await response.text() };
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    return { status: "no answer", headers: new Headers(), body: cause };
  }
}

const say = (line: string): void => console.log(`${new Date().toISOString()}  ${line}`);

/** Shows a new state of the pass, and what is to be remembered of it. */
function takePass({ headers, body }: Answer, known: Known | undefined): Known {
  const values = new Map(valuesOf(parseExact(body)));
  say(known === undefined ? "200  the pass" : "200  changed");
  for (const line of changesOf(known?.values ?? new Map(), values)) console.log(line);
  return { tag: headers.get("etag") ?? undefined, values };
}

/** Only these end the polling: the reason of any other refusal may be mended meanwhile. */
const GONE: ReadonlySet<Answer["status"]> = new Set([404, 410]);
const BUSY: ReadonlySet<Answer["status"]> = new Set([429, 503]);
/** Each of these in a row doubles the pause, up to this factor. */
const FAILING: ReadonlySet<Answer["status"]> = new Set([503, "no answer"]);
const SLOWER_MAX = 64;

/** Polls until the pass is gone or there were enough polls. */
async function poll(options: PollOptions, signal: AbortSignal): Promise<void> {
  let known: Known | undefined;
  let slower = 1;
  for (let times = 1; ; times += 1) {
    const answer = await ask(options, known?.tag, signal);
    const { status } = answer;
    if (GONE.has(status)) return say(`${status}  the pass is gone: polling ends`);
    const askedMs = BUSY.has(status) ? waitMsOf(answer, options.everyMs) : options.everyMs;
    const waitMs = Math.min(WAIT_MS_MAX, FAILING.has(status) ? askedMs * slower : askedMs);
    slower = FAILING.has(status) ? Math.min(SLOWER_MAX, slower * 2) : 1;
    if (status === 200) known = takePass(answer, known);
    else if (status === 304) say("304  unchanged");
    else say(`${describeError(answer)}; next poll in ${waitMs} ms`);
    if (times >= options.timesMax) return;
    await pause(waitMs, undefined, { signal });
  }
}

function readOptions() {
  try {
    const text = { type: "string" } as const;
    return parseArgs({
      allowPositionals: true,
      options: {
        "base-url": { ...text, default: process.env.BASE_URL ?? "" },
        "jws-key": { ...text, default: process.env.JWS_KEY_FILE ?? "" },
        every: { ...text, default: "60" },
        times: text,
        "version-header": { ...text, default: "Service-Api-Version" },
        "contract-version": { ...text, default: "2026-07-01" },
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

function positive(text: string, what: string): number {
  const number = Number(text);
  if (number > 0 && number < 1e6) return number;
  throw new Problem(`${what} must be a number above 0.`, 2);
}

function readKey(file: string): SigningKey {
  try {
    const jwk = JSON.parse(readFileSync(file, "utf8"));
    const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
    if (privateKey.asymmetricKeyType === "ed25519" && typeof jwk.kid === "string")
      return { kid: jwk.kid, privateKey };
  } catch {
    // The parser's message could show what is in the file.
  }
  throw new Problem(`${file} cannot be read as a private Ed25519 key: a JWK with d, x and kid.`, 2);
}

async function main(signal: AbortSignal): Promise<void> {
  const { values, positionals } = readOptions();
  if (values.help === true) return console.log(USAGE);
  const base = given(values["base-url"], "--base-url").replace(/\/$/, "");
  const address = `${base}/passes/${encodeURIComponent(given(positionals[0], "The partner reference"))}`;
  const url = URL.parse(address);
  if (url === null) throw new Problem(`${address} is not a URL.`, 2);
  const options = {
    url,
    key: readKey(given(values["jws-key"], "--jws-key")),
    everyMs: 1000 * positive(values.every, "--every"),
    timesMax: values.times === undefined ? Number.POSITIVE_INFINITY : positive(values.times, "--times"),
    versionHeader: values["version-header"],
    version: values["contract-version"],
  };
  await poll(options, signal);
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
