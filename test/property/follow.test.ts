import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Countinghouse, type FollowResume, type Transaction } from "../../client/src/index.ts";
import { cases } from "../support/cases.ts";
import { transactionText } from "../support/documents.ts";

const BEGIN = 1_795_554_000_000;
const DAY_MS = 86_400_000;
/** Everything is listed in it at least once. */
const QUIET_MS = 70_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** A version of a transaction. */
interface Version {
  readonly id: string;
  readonly state: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What happens to the store: a transaction is created, listed days late, or moves on. */
const move = fc.record({
  kind: fc.constantFrom("created", "late", "moved", "moved", "moved"),
  which: fc.nat(20),
  state: fc.constantFrom("created", "pending", "completed", "reverted", "on its way"),
});
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

const FAULTS = ["none", "none", "no connection", "half a body", "503", "429", "lag"] as const;

const anyCase = fc.record({
  /** Each list is one moment of the store. */
  moments: fc.array(fc.array(move, { maxLength: 5 }), { minLength: 1, maxLength: 12 }),
  /** What goes wrong with one request after the other; afterwards nothing does. */
  faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 60 }),
  /** After how many requests or records the program is killed, one life after the other. */
  kills: fc.array(fc.nat(25), { maxLength: 8 }),
  pageSize: fc.integer({ min: 1, max: 7 }),
});
type Case = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never;

/** The business interface over transactions in memory: its pages, its filters, its faults, and an index that lags. */
class ModelBusiness {
  readonly #passed: Version[][] = [];
  readonly #case: Case;
  readonly #moments: (readonly Move[])[];
  readonly #faults: Case["faults"];
  #nowMs = BEGIN;
  #indexed = 0;
  #life = new AbortController();
  #stepsLeft = Number.POSITIVE_INFINITY;
  #quietMs = 0;
  /** Moments pass at each request, and not only while the follower rests. */
  readonly #isStormy: boolean;

  constructor(given: Case, isStormy: boolean) {
    this.#case = given;
    this.#moments = [...given.moments];
    this.#faults = [...given.faults];
    this.#isStormy = isStormy;
  }

  /** Versions as they are now, by id. */
  current(upTo = Number.POSITIVE_INFINITY): Map<string, Version> {
    return new Map(
      this.#passed
        .slice(0, upTo)
        .flat()
        .map((version) => [version.id, version] as const),
    );
  }

  /** The whole history as a follower sees it: moment after moment, and each in the order of `updated_at`. */
  inOrder(): string[] {
    const instant = ({ updated_at: at }: Version): string => at;
    return this.#passed.flatMap((moment) =>
      moment.toSorted((one, other) => (instant(one) < instant(other) ? -1 : 1)).map(keyOf),
    );
  }

  /** A client whose program is killed after some steps. */
  newLife(stepsMax: number, restMs: number) {
    this.#life = new AbortController();
    this.#stepsLeft = stepsMax;
    const client = new Countinghouse({
      baseUrl: "https://api.test",
      business: { accessToken: "token-1" },
      // One fault may follow the other.
      retry: { attemptsMax: 100, totalMs: 10 ** 9 },
      fetch: async (url) => this.#answer(new URL(url)),
      now: () => this.#nowMs,
      // No wait before a repetition is as long as a rest.
      random: () => 0.3,
      sleep: async (ms) => {
        this.step();
        this.#nowMs += ms;
        if (ms === restMs) this.#rest(restMs);
      },
    });
    return { client, signal: this.#life.signal };
  }

  /** A step of the program, at which it may be killed. */
  step(): void {
    if (this.#stepsLeft <= 0) this.#life.abort();
    this.#stepsLeft -= 1;
    this.#life.signal.throwIfAborted();
  }

  /** While the follower rests, a moment passes. The program ends when enough rests were quiet. */
  #rest(restMs: number): void {
    if (this.#moments.length === 0) this.#quietMs += restMs;
    if (this.#quietMs > QUIET_MS) this.#life.abort();
    this.#pass();
  }

  #pass(): void {
    // A record moves once in a moment.
    const moved = new Set<string>();
    this.#passed.push([]);
    for (const one of this.#moments.shift() ?? []) this.#move(one, moved);
  }

  #move({ kind, which, state }: Move, moved: Set<string>): void {
    this.#nowMs += 1;
    const known = [...this.current().values()];
    const old = kind === "moved" ? known[which % Math.max(1, known.length)] : undefined;
    const id = old?.id ?? `tx-${known.length}`;
    if (moved.has(id)) return;
    moved.add(id);
    const instant = iso(this.#nowMs - (kind === "late" ? 10 * DAY_MS : 0));
    this.#passed.at(-1)?.push({ id, state, created_at: old?.created_at ?? instant, updated_at: instant });
  }

  #answer(url: URL): Response {
    this.step();
    this.#nowMs += 7;
    const fault = this.#faults.shift() ?? "none";
    if (this.#isStormy) this.#pass();
    if (fault !== "lag" || !this.#isStormy) this.#indexed = this.#passed.length;
    if (fault === "no connection") throw new TypeError("fetch failed");
    if (fault === "503") return new Response('{"message":"Service Unavailable"}', { status: 503 });
    if (fault === "429") return new Response('{"message":"Too Many Requests"}', { status: 429 });
    const id = /^\/transaction\/(.+)/.exec(url.pathname)?.[1];
    const one = this.current().get(id ?? "");
    const { body, link } =
      id === undefined ? this.#page(url) : { body: transactionText({ ...one }), link: "" };
    const headers = { "Content-Type": "application/json", ...(link !== "" && { Link: link }) };
    return new Response(fault === "half a body" ? body.slice(0, -3) : body, { headers });
  }

  #page(url: URL): { readonly body: string; readonly link: string } {
    const query = url.searchParams;
    const [from, to] = [query.get("from") ?? "", query.get("to") ?? iso(this.#nowMs + 1)];
    if (!query.has("to")) query.set("to", to);
    const [states, after] = [query.getAll("state"), query.get("cursor") ?? "~"];
    const place = ({ created_at, id }: Version): string => `${created_at} ${id.padStart(9)}`;
    const rest = [...this.current(this.#indexed).values()]
      .filter(
        ({ created_at: at, state }) =>
          at >= from && at < to && (states.length === 0 || states.includes(state)),
      )
      .filter((version) => place(version) < after)
      .sort((one, other) => (place(one) < place(other) ? 1 : -1));
    const page = rest.slice(0, this.#case.pageSize);
    const last = page.at(-1);
    if (last !== undefined) query.set("cursor", place(last));
    const link = rest.length > page.length ? `<?${query.toString()}>; rel="next"` : "";
    return { body: `[${page.map((version) => transactionText({ ...version })).join(",")}]`, link };
  }
}

const keyOf = ({ id, state, updated_at: at }: Version | Transaction): string => `${id} ${at} ${state}`;

/** Follows through all lives of the program. What is given is delivered first, and stored with the resume afterwards. */
async function followAll(model: ModelBusiness, { kills }: Case, everyMs: number) {
  const delivered: string[] = [];
  let [stored, kept]: [string[], string] = [[], ""];
  for (const steps of [...kills, Number.POSITIVE_INFINITY]) {
    const { client, signal } = model.newLife(steps, everyMs);
    const resume = kept === "" ? undefined : (JSON.parse(kept) as FollowResume);
    const changes = client.business.follow({ since: BEGIN - 15 * DAY_MS, resume, everyMs, signal });
    try {
      for await (const change of changes) {
        delivered.push(keyOf(change));
        model.step();
        [stored, kept] = [[...stored, keyOf(change)], JSON.stringify(changes.resume)];
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  return { delivered, stored };
}

describe("a follow of transactions", () => {
  test("gives each change once and in order, whatever fails and whenever the program is killed", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const model = new ModelBusiness(given, false);
        const { delivered, stored } = await followAll(model, given, 60_000);
        expect(stored).toEqual(model.inOrder());
        // What was delivered and not stored comes again next, and nothing else does.
        expect(delivered.filter((key, at) => key !== delivered[at - 1])).toEqual(stored);
      }),
      { numRuns: cases(40) },
    );
  });

  test("ends with the present state of each record, and never goes back, while the list lags and changes under it", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (given) => {
        const model = new ModelBusiness(given, true);
        const { stored } = await followAll(model, given, 5_000);
        const history = model.inOrder();
        expect(new Set(stored).size).toBe(stored.length);
        for (const [id, version] of model.current()) {
          const ofRecord = stored.filter((key) => key.startsWith(`${id} `));
          expect(ofRecord.at(-1)).toBe(keyOf(version));
          expect(ofRecord).toEqual(history.filter((key) => ofRecord.includes(key)));
        }
      }),
      { numRuns: cases(40) },
    );
  });
});
