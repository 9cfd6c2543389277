import type { Platform, Trade } from "../../client/src/index.ts";
import { rateLimitHeaders } from "../../lib/rate-limit/rate-limit-headers.ts";
import {
  bucketsOf,
  waitMs as bucketWaitMs,
  charge,
  type FullAgainAt,
} from "../../lib/rate-limit/token-bucket.ts";

const DAY_MS = 86_400_000;
/** How long each answer of the model takes. */
const LATENCY_MS = 7;

/** What goes wrong with one request. After each of them nothing but the next request helps. */
export const FAULTS = [
  "none",
  "no connection",
  "half a body",
  "an internal error",
  "a gateway error",
  "a proxy's page",
  "a short page",
  "an empty page",
  "a stale cursor",
  "others take the tokens",
] as const;

export type Fault = (typeof FAULTS)[number];

export interface ModelOptions {
  /** Newest first. */
  readonly trades: readonly Trade[];
  /** What goes wrong, request by request; afterwards nothing does. */
  readonly faults: readonly Fault[];
}

/** The window and the place of a listing. */
interface Cursor {
  readonly startMs: number;
  readonly endMs: number;
  /** Trades of the window that were listed. */
  readonly listed: number;
  /** Which request gave it: a stale one is refused. */
  readonly issue: number;
}

/** The exchange as its contract describes it, over trades in memory, with its two buckets and a clock of its own. */
export class ModelExchange {
  readonly #trades: readonly Trade[];
  readonly #faults: Fault[];
  readonly #buckets = bucketsOf(
    [
      { name: "second", burst: 100, refillTokens: 100, refillWindowMs: 1_000 },
      { name: "minute", burst: 1_000, refillTokens: 1_000, refillWindowMs: 60_000 },
    ],
    30,
  );
  #fullAgainAt: FullAgainAt = {};
  #nowMs: number;
  /** Cursors that were issued before this count of requests are stale. */
  #staleUntil = 0;
  requests = 0;
  /** Answers that said 429. */
  refusals = 0;
  tokens = 0;

  constructor({ trades, faults }: ModelOptions, nowMs: number) {
    this.#trades = trades;
    this.#faults = [...faults];
    this.#nowMs = nowMs;
  }

  /** The platform of a client of the model: its clock moves by waiting and by answers. */
  get platform(): Platform {
    return {
      fetch: (url, { signal }) => this.#answer(new URL(url), signal),
      now: () => this.#nowMs,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        this.#nowMs += ms;
      },
      random: () => 0.5,
    };
  }

  async #answer(url: URL, signal: AbortSignal | null | undefined): Promise<Response> {
    signal?.throwIfAborted();
    this.requests += 1;
    this.#nowMs += LATENCY_MS;
    const fault = this.#faults.shift() ?? "none";
    if (fault === "no connection") throw new TypeError("fetch failed");
    if (fault === "a gateway error") return json(503, { message: "Service Unavailable" });
    if (fault === "a proxy's page") return new Response("<p>Bad gateway</p>", { status: 502 });
    if (fault === "a stale cursor") this.#staleUntil = this.requests;
    if (fault === "others take the tokens") this.#take(95);
    return this.#list(url.searchParams, fault);
  }

  #take(cost: number): void {
    if (bucketWaitMs(this.#buckets, this.#fullAgainAt, this.#nowMs, cost) > 0) return;
    this.#fullAgainAt = charge(this.#buckets, this.#fullAgainAt, this.#nowMs, cost);
  }

  #list(query: URLSearchParams, fault: Fault): Response {
    const startMs = Number(query.get("start_date"));
    const endMs = Number(query.get("end_date"));
    const limit = Number(query.get("limit"));
    if (startMs > endMs || endMs - startMs > 30 * DAY_MS) return this.#failure(400, "validation_error");
    const given = query.get("cursor");
    const cursor = given === null ? undefined : (JSON.parse(atob(given)) as Cursor);
    const isOther = cursor !== undefined && (cursor.startMs !== startMs || cursor.endMs !== endMs);
    if (isOther || (cursor !== undefined && cursor.issue < this.#staleUntil))
      return this.#failure(400, "invalid_cursor");
    const cost = Math.max(1, Math.ceil((endMs - startMs) / DAY_MS));
    const waitMs = bucketWaitMs(this.#buckets, this.#fullAgainAt, this.#nowMs, cost);
    if (waitMs > 0) {
      this.refusals += 1;
      return this.#failure(429, "rate_limited", { retry_after_ms: waitMs });
    }
    this.#take(cost);
    this.tokens += cost;
    if (fault === "an internal error") return this.#failure(500, "internal_error");
    const page = this.#page(
      { startMs, endMs, listed: cursor?.listed ?? 0, issue: this.requests },
      limit,
      fault,
    );
    if (fault !== "half a body") return json(200, page, this.#limits());
    return new Response(JSON.stringify(page).slice(0, -9), {
      headers: { "Content-Type": "application/json" },
    });
  }

  #page(from: Cursor, limit: number, fault: Fault): object {
    const window = this.#trades.filter(({ tdt }) => tdt >= from.startMs && tdt <= from.endMs);
    const most = fault === "an empty page" ? 0 : fault === "a short page" ? Math.ceil(limit / 2) : limit;
    const data = window.slice(from.listed, from.listed + most);
    const listed = from.listed + data.length;
    // A page that met withdrawn trades has a cursor though nothing is left.
    const isLast = listed === window.length && most === limit;
    const cursor = isLast ? {} : { next_cursor: btoa(JSON.stringify({ ...from, listed })) };
    return { data, metadata: { timestamp: this.#nowMs, ...cursor } };
  }

  #failure(status: number, code: string, members: object = {}): Response {
    const ids = { error_id: "e-1", message: "Not now.", timestamp: this.#nowMs };
    return json(status, { ...ids, code, ...members }, this.#limits());
  }

  #limits(): Record<string, string> {
    return rateLimitHeaders(this.#buckets, this.#fullAgainAt, this.#nowMs);
  }
}

const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
