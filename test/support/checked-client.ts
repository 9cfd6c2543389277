import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { contractBrand } from "../../lib/brand.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { signRequest } from "../../local/signing/sign-request.ts";
import type { InterfaceName } from "../../ops/check-client/scene.ts";
import { type ScriptedService, startScriptedService } from "../../ops/check-client/scripted-service.ts";
import type { SeenAnswer } from "./answer-check.ts";
import { scratchDirectory } from "./scratch.ts";

/** What kept an attempt from its answer. */
type Hindrance = "limited" | "unavailable" | "off" | "cut" | "cut body";

/** One attempt, as the client sees it. */
interface Attempt {
  readonly status: number;
  readonly hindrance?: Hindrance;
  readonly headers: Headers;
  readonly body: string;
  /** `retry_after_ms`; 0 without one. */
  readonly toldMs: number;
}

/** A record as the client understood it. */
interface Understood {
  readonly id: string;
  readonly amounts: readonly string[];
}

/** What a client does where clients go wrong. A good client does all of it well. */
export interface Habits {
  /** How long to wait; undefined to give up. `failures` counts those in a row, from 1. */
  readonly pauseMs: (hindrance: Hindrance, toldMs: number, failures: number) => number | undefined;
  /** How often a refusal is repeated. */
  readonly repeats: (status: number) => number;
  /** Whether a redirect is followed, with all headers. */
  readonly followsRedirects: boolean;
  /** Changes a query after it was signed, or before where nothing is signed. */
  readonly query: (query: string) => string;
  /** The query of a further request before each listing. */
  readonly probe?: (query: string) => { readonly signed: string; readonly sent: string };
  /** Headers in place of those that prove the caller. */
  readonly proof: Readonly<Record<string, string>>;
  readonly isSignedOnce: boolean;
  /** Whether a page is the last one. */
  readonly isEnd: (records: number, next: string | undefined) => boolean;
  /** The next page as it is asked for. */
  readonly next: (next: string) => string;
  readonly restarts: ReadonlySet<Hindrance>;
  /** The instant at which the next older window ends, from where the newer one begins; one unit is the smallest. */
  readonly border: number;
  /** If-None-Match, from the tags of all 200s and the status of the answer before. */
  readonly tag: (tags: readonly string[], before: number | undefined) => string | undefined;
  /** Throws where the client cannot bear an answer. */
  readonly judge: (body: string, headers: Headers) => void;
  readonly digits: (amount: string) => string;
  readonly copy: (records: readonly Understood[]) => readonly Understood[];
}

/** A good client: it waits as it is told, doubles its pauses, and takes nothing for granted. */
export const goodHabits: Habits = {
  pauseMs: (hindrance, toldMs, failures) =>
    hindrance === "limited" ? toldMs : Math.max(toldMs, 100) * 2 ** (failures - 1),
  repeats: () => 0,
  followsRedirects: false,
  query: (query) => query,
  proof: {},
  isSignedOnce: false,
  isEnd: (_, next) => next === undefined,
  next: (next) => next,
  restarts: new Set(),
  border: 0,
  tag: (tags) => tags.at(-1),
  judge: () => {},
  digits: (amount) => amount,
  copy: (records) => records,
};

/** A client that ends its run. */
class GivesUp extends Error {}
/** A client that begins its listing again. */
class StartsAgain extends Error {}

/** A client that cannot bear answers with this in their body or among the names of their headers. */
export const refuses = (pattern: RegExp): Partial<Habits> => ({
  judge: (body, headers) => {
    if (pattern.test([body, ...headers.keys()].join("\n"))) throw new GivesUp("a strange answer");
  },
});

/** The service of a check, for clients of one interface. */
export const startServiceFor = (name: InterfaceName, clock: Clock = systemClock): Promise<ScriptedService> =>
  startScriptedService({
    port: 0,
    directory: scratchDirectory(),
    interfaces: [name],
    brand: contractBrand,
    clock,
  });

const DAY_MS = 86_400_000;
const FAILURES_MAX = 5;
const REQUESTS_MAX = 60;

export interface World {
  readonly now: () => number;
  readonly wait: (ms: number) => void;
}

/** A client of one interface that keeps habits. Its waits only move the clock of the world. */
export class CheckedClient {
  /** What it printed. */
  output = "";
  /** The whole answers that it got. */
  readonly answers: SeenAnswer[] = [];
  readonly #service: ScriptedService;
  readonly #world: World;
  readonly #habits: Habits;
  readonly #key: KeyObject;
  readonly #signatures = new Map<string, Record<string, string>>();
  #requests = 0;

  constructor(service: ScriptedService, world: World, habits: Habits) {
    this.#service = service;
    this.#world = world;
    this.#habits = habits;
    this.#key = createPrivateKey(readFileSync(service.issued.file.exchange.privateKeyFile));
  }

  /** Does what a program does from its start to its end. @returns its exit code. */
  async run(name: InterfaceName): Promise<number> {
    this.#requests = 0;
    try {
      if (name === "exchange") await this.#listTrades();
      else if (name === "business") await this.#readBusiness();
      else if (name === "ramp") await this.#readOrder();
      else await this.#pollPass();
      return 0;
    } catch (error) {
      if (error instanceof GivesUp) return 1;
      throw error;
    }
  }

  async #listTrades(): Promise<void> {
    const endMs = this.#world.now() - DAY_MS;
    const newer = { start_date: endMs - DAY_MS, end_date: endMs };
    const older = { start_date: endMs - 3 * DAY_MS, end_date: newer.start_date - 1 + this.#habits.border };
    for (const { start_date, end_date } of [newer, older]) {
      const query = `start_date=${start_date}&end_date=${end_date}`;
      const path = `/1.0/trades/all/${this.#service.issued.file.exchange.symbol}`;
      await this.#list(path, query, (body) => {
        const page = JSON.parse(body) as TradePage;
        const records = page.data.map(({ tid, p, q }) => ({ id: tid, amounts: [p, q] }));
        const next = page.metadata.next_cursor;
        return {
          records,
          next: next === undefined ? undefined : `${query}&cursor=${this.#habits.next(next)}`,
        };
      });
    }
  }

  async #readBusiness(): Promise<void> {
    const to = Math.floor(this.#world.now() / DAY_MS) * DAY_MS;
    const newer = { from: to - DAY_MS, to };
    const older = { from: to - 3 * DAY_MS, to: newer.from + this.#habits.border };
    const textOf = (ms: number): string => new Date(ms).toISOString();
    for (const { from, to: end } of [newer, older])
      await this.#list("/transactions", `from=${textOf(from)}&to=${textOf(end)}`, (body, headers) => {
        const next = /^<\?([^>]*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
        const records = transactionsOf(body);
        return { records, next: next === undefined ? undefined : this.#habits.next(next) };
      });
    const { transactionId } = this.#service.issued.file.business;
    const { body, headers } = await this.#get(`/transaction/${transactionId}`, "");
    this.#habits.judge(body, headers);
    this.#print(transactionsOf(`[${body}]`));
  }

  async #readOrder(): Promise<void> {
    const { body, headers } = await this.#get(`/sell-orders/${this.#service.issued.file.ramp.orderId}`, "");
    this.#habits.judge(body, headers);
    const amount = /"crypto":\{.*?"amount":([\d.]+)/.exec(body)?.[1] ?? "";
    this.#print([{ id: "order", amounts: [amount] }]);
  }

  async #pollPass(): Promise<void> {
    const path = `/passes/${this.#service.issued.file.passes.partnerReference}`;
    const tags: string[] = [];
    let before: number | undefined;
    for (let polls = 0; polls < REQUESTS_MAX; polls++) {
      const tag = this.#habits.tag(tags, before);
      const conditional = tag === undefined ? undefined : { "If-None-Match": tag };
      const { status, headers, body } = await this.#get(path, "", conditional);
      before = status;
      if (status === 404 || status === 410) return;
      if (status === 200) {
        this.#habits.judge(body, headers);
        tags.push(headers.get("etag") ?? "");
        this.#print([{ id: "pass", amounts: [/"points":([\d.]+)/.exec(body)?.[1] ?? ""] }]);
      }
      this.#world.wait(1_000);
    }
  }

  /** Reads every page, and prints the records at the end. */
  async #list(
    path: string,
    query: string,
    read: (body: string, headers: Headers) => { records: readonly Understood[]; next: string | undefined },
  ): Promise<void> {
    const { probe } = this.#habits;
    if (probe !== undefined) await this.#attempt(path, probe(query));
    const all: Understood[] = [];
    for (let asked = query; ; ) {
      let page: ReturnType<typeof read>;
      try {
        const { body, headers } = await this.#get(path, asked);
        this.#habits.judge(body, headers);
        page = read(body, headers);
      } catch (error) {
        if (!(error instanceof StartsAgain)) throw error;
        all.length = 0;
        asked = query;
        continue;
      }
      all.push(...page.records);
      if (this.#habits.isEnd(page.records.length, page.next) || page.next === undefined) break;
      asked = page.next;
    }
    this.#print(this.#habits.copy(all));
  }

  #print(records: readonly Understood[]): void {
    for (const { id, amounts } of records)
      this.output += `${[id, ...amounts.map((amount) => this.#habits.digits(amount))].join("\t")}\n`;
  }

  /** Repeats a request until it has an answer. @throws {GivesUp} */
  async #get(path: string, query: string, headers?: Readonly<Record<string, string>>): Promise<Attempt> {
    let failures = 0;
    let refusals = 0;
    for (;;) {
      const attempt = await this.#attempt(path, { signed: query, sent: this.#habits.query(query) }, headers);
      const { status, hindrance, toldMs } = attempt;
      if (hindrance !== undefined) {
        failures += hindrance === "limited" ? 0 : 1;
        const pauseMs = this.#habits.pauseMs(hindrance, toldMs, Math.max(1, failures));
        if (pauseMs === undefined || failures === FAILURES_MAX) throw new GivesUp(hindrance);
        this.#world.wait(pauseMs);
        // Only a listing has a query.
        if (query !== "" && this.#habits.restarts.has(hindrance)) throw new StartsAgain(hindrance);
        continue;
      }
      refusals += 1;
      if (refusals <= this.#habits.repeats(status)) continue;
      if (
        status === 200 ||
        status === 304 ||
        (path.startsWith("/passes/") && (status === 404 || status === 410))
      )
        return attempt;
      throw new GivesUp(String(status));
    }
  }

  async #attempt(
    path: string,
    { signed, sent }: { readonly signed: string; readonly sent: string },
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Attempt> {
    this.#requests += 1;
    if (this.#requests > REQUESTS_MAX) throw new GivesUp("too many requests");
    const target = (query: string) => `${this.#service.baseUrl}${path}${query === "" ? "" : `?${query}`}`;
    const proof = this.#proofOf(path, target(signed));
    let response: Response;
    try {
      const how = { headers: { ...proof, ...headers, ...this.#habits.proof }, redirect: "manual" } as const;
      response = await fetch(target(sent), how);
      const location = response.headers.get("location");
      if (this.#habits.followsRedirects && location !== null) response = await fetch(location, how);
    } catch {
      return { status: 0, hindrance: "cut", headers: new Headers(), body: "", toldMs: 0 };
    }
    const attempt = await attemptOf(response);
    const isWhole = attempt.hindrance !== "cut body" && attempt.status !== 307;
    if (isWhole) this.answers.push({ target: target(sent).slice(this.#service.baseUrl.length), ...attempt });
    return attempt;
  }

  /** The headers that prove the caller. */
  #proofOf(path: string, url: string): Record<string, string> {
    const { exchange, business, ramp, passes } = this.#service.issued.file;
    if (path.startsWith("/transaction")) return { Authorization: `Bearer ${business.token}` };
    if (path.startsWith("/sell-orders")) return { "X-API-KEY": ramp.apiKey };
    if (path.startsWith("/passes"))
      return { Authorization: `Bearer ${passes.token}`, [passes.versionHeader]: passes.version };
    const kept = this.#habits.isSignedOnce ? this.#signatures.get(url) : undefined;
    const key = { apiKey: exchange.apiKey, privateKey: this.#key };
    const signed =
      kept ?? signRequest({ method: "GET", url, now: this.#world.now() }, key, exchange.headerPrefix);
    this.#signatures.set(url, signed);
    return signed;
  }
}

interface TradePage {
  readonly data: readonly { readonly tid: string; readonly p: string; readonly q: string }[];
  readonly metadata: { readonly next_cursor?: string };
}

/** The transactions of a body, with the texts of their amounts. */
function transactionsOf(body: string): Understood[] {
  const texts = body.split(/(?=\{(?:"added_later":\{[^}]*\},)?"id":"[^"]*","type":)/).slice(1);
  return texts.map((text) => ({
    id: /"id":"([^"]+)"/.exec(text)?.[1] ?? "",
    amounts: [...text.matchAll(/"(?:amount|balance)":-?([\d.]+)/g)].map(([, amount = ""]) => amount),
  }));
}

async function attemptOf(response: Response): Promise<Attempt> {
  const { status, headers } = response;
  let body: string;
  try {
    body = await response.text();
  } catch {
    return { status, hindrance: "cut body", headers, body: "", toldMs: 0 };
  }
  if (status !== 429 && status !== 503) return { status, headers, body, toldMs: 0 };
  const { code, retry_after_ms: toldMs } = JSON.parse(body) as { code: string; retry_after_ms: number };
  const hindrance = status === 429 ? "limited" : code === "service_disabled" ? "off" : "unavailable";
  return { status, hindrance, headers, body, toldMs };
}
