/**
 * Polls a wallet pass as a wallet service does: signs each request by a detached JWS, sends the tag of the last answer,
 * waits as long as it is told, stops when the pass is gone, and keeps every digit. Copy it into a project of your own:
 * it needs Node.js 22.18 or later, which runs TypeScript as it is, and no package.
 *
 *   node poll-pass.ts [--every SECONDS] [--times NUMBER] loyalty-88015
 *
 * In the environment it needs BASE_URL and JWS_KEY_FILE (your private Ed25519 key, a JWK with its kid). VERSION_HEADER and
 * PASS_VERSION are the header of the contract version and the version, if not those of this program.
 */

import { createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

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
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
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
async function ask(options: PollOptions, tag: string | undefined): Promise<Answer> {
  const { url, key, versionHeader, version } = options;
  const headers = {
    [versionHeader]: version,
    "Jws-Signature": jwsSignature(url, key),
    ...(tag !== undefined && { "If-None-Match": tag }),
  };
  try {
    // The service does not redirect, and the headers would prove this program to any host that a redirect names.
    const response = await fetch(url, { headers, redirect: "manual" });
    return { status: response.status, headers: response.headers, body: await response.text() };
  } catch (error) {
    const { cause = error } = error as Error;
    return { status: "no answer", headers: new Headers(), body: String(cause) };
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
async function poll(options: PollOptions): Promise<void> {
  let known: Known | undefined;
  let slower = 1;
  for (let times = 1; ; times += 1) {
    const answer = await ask(options, known?.tag);
    const { status } = answer;
    if (GONE.has(status)) return say(`${status}  the pass is gone: polling ends`);
    const askedMs = BUSY.has(status) ? waitMsOf(answer, options.everyMs) : options.everyMs;
    const waitMs = Math.min(WAIT_MS_MAX, FAILING.has(status) ? askedMs * slower : askedMs);
    slower = FAILING.has(status) ? Math.min(SLOWER_MAX, slower * 2) : 1;
    if (status === 200) known = takePass(answer, known);
    else if (status === 304) say("304  unchanged");
    else say(`${describeError(answer)}; next poll in ${waitMs} ms`);
    if (times >= options.timesMax) return;
    await pause(waitMs);
  }
}

function setting(name: string): string {
  const value = process.env[name] ?? "";
  if (value === "") throw new Error(`${name} is not set.`);
  return value;
}

function readKey(file: string): SigningKey {
  try {
    const jwk = JSON.parse(readFileSync(file, "utf8"));
    return { kid: jwk.kid, privateKey: createPrivateKey({ key: jwk, format: "jwk" }) };
  } catch {
    // The parser's message could show what is in the file.
    throw new Error(`${file} cannot be read as a private Ed25519 key: a JWK with d, x and kid.`);
  }
}

try {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { every: text, times: text },
  });
  const [reference = setting("PARTNER_REFERENCE")] = positionals;
  await poll({
    url: new URL(`${setting("BASE_URL")}/passes/${encodeURIComponent(reference)}`),
    key: readKey(setting("JWS_KEY_FILE")),
    everyMs: 1000 * Number(values.every ?? 60),
    timesMax: Number(values.times ?? Number.POSITIVE_INFINITY),
    versionHeader: process.env.VERSION_HEADER ?? "Service-Api-Version",
    version: process.env.PASS_VERSION ?? "2026-07-01",
  });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
