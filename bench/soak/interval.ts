import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import type { Met } from "./send-steadily.ts";

/** What a process holds at an instant. */
interface ProcessUse {
  readonly residentMb: number;
  /** Open files and sockets; undefined where the system does not show them. */
  readonly openFiles: number | undefined;
}

/** Looks at a running process. Throws when it has ended. */
export async function useOf(pid: number): Promise<ProcessUse> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  const files = await readdir(`/proc/${pid}/fd`).catch(() => undefined);
  return { residentMb: Math.round(Number(stdout) / 1_024), openFiles: files?.length };
}

/** Percentiles of some answers, in milliseconds. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What happened in an interval of a soak, and what the service held at its end. */
export interface Interval extends ProcessUse {
  /** Seconds from the start of the soak to the end of the interval. */
  readonly endS: number;
  readonly requests: number;
  /** Answers of status 429. */
  readonly limited: number;
  /** Answers of another status below 500 than 200. */
  readonly refused: number;
  /** Answers of status 500 and above, and requests without an answer. */
  readonly failed: number;
  /** Of all answers, and of each endpoint's. */
  readonly latency: Latency;
  readonly byEndpoint: Readonly<Record<string, Latency>>;
}

/** Gathers the answers of an interval. */
export class Gathered {
  readonly #tookMs = new Map<string, number[]>();
  readonly #complaints: Map<string, number>;
  #limited = 0;
  #refused = 0;
  #failed = 0;

  /** @param complaints receives the answers other than 200, by endpoint, status and complaint, of all intervals. */
  constructor(complaints: Map<string, number>) {
    this.#complaints = complaints;
  }

  readonly add = ({ endpoint, status, tookMs, complaint }: Met): void => {
    const times = this.#tookMs.get(endpoint) ?? [];
    times.push(tookMs);
    this.#tookMs.set(endpoint, times);
    if (status === 200) return;
    if (status === 0 || status >= 500) this.#failed += 1;
    else if (status === 429) this.#limited += 1;
    else this.#refused += 1;
    const reason = `${endpoint} ${status} ${complaint}`;
    this.#complaints.set(reason, (this.#complaints.get(reason) ?? 0) + 1);
  };

  /** The interval that ends now. */
  close(endS: number, use: ProcessUse): Interval {
    const all = [...this.#tookMs.values()].flat();
    return {
      endS,
      requests: all.length,
      limited: this.#limited,
      refused: this.#refused,
      failed: this.#failed,
      latency: latencyOf(all),
      byEndpoint: Object.fromEntries([...this.#tookMs].map(([name, times]) => [name, latencyOf(times)])),
      ...use,
    };
  }
}

/** Percentiles by the nearest rank; zeros where nothing was answered. */
export function latencyOf(tookMs: readonly number[]): Latency {
  const sorted = Float64Array.from(tookMs).sort();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
