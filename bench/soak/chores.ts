import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { allOwners, businessOf, type Owners, partnerOf } from "./owners.ts";
import { IMPORTED_MARKET, orderLine, tradeLines, transactionLines } from "./records.ts";

/** The pause between two chores: about every five minutes each owner gets an import and a new key. */
const EVERY_MS = 5_000;
/** How long a rotated key still works: longer than the requests that carry it are under way. */
const OVERLAP = "1h";

/** Chores that were done, by their names, and the first errors of those that failed. */
export interface ChoreCounts {
  readonly done: Map<string, number>;
  readonly failed: string[];
}

/** What operators do to a store while it serves: imports, and rotations of keys. */
export class Chores {
  readonly counts: ChoreCounts = { done: new Map(), failed: [] };
  readonly #dataDir: string;
  readonly #clock: Clock;

  constructor(dataDir: string, clock: Clock = systemClock) {
    this.#dataDir = dataDir;
    this.#clock = clock;
  }

  /** Does one chore after the other until `stop` is aborted. A failed one is counted, and the next one follows. */
  async keepDoing(owners: Pick<Owners, "ramp">, stop: AbortSignal): Promise<void> {
    for (let n = 0; !stop.aborted; n += 1) {
      const [name, work] = this.#turn(n, owners);
      try {
        await work();
        this.counts.done.set(name, (this.counts.done.get(name) ?? 0) + 1);
      } catch (error) {
        this.counts.failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      await pause(EVERY_MS, undefined, { signal: stop }).catch(() => {});
    }
  }

  #turn(n: number, { ramp }: Pick<Owners, "ramp">): [string, () => Promise<void>] {
    const [owner, round] = [Math.floor(n / 4), 1 + Math.floor(n / (4 * allOwners.length))];
    const now = this.#clock();
    const turns: readonly [string, () => Promise<void>][] = [
      [
        "import transactions",
        () => this.#import(transactionLines(round, now), ["transactions", "--business", businessOf(owner)]),
      ],
      ["keys rotate", () => this.#rotate(ramp[owner % ramp.length])],
      ["import trades", () => this.#import(tradeLines(now), ["trades", "--market", IMPORTED_MARKET])],
      [
        "import sell-orders",
        () => this.#import(orderLine(partnerOf(owner), now), ["sell-orders", "--partner", partnerOf(owner)]),
      ],
    ];
    return turns[n % turns.length] ?? ["", async () => {}];
  }

  async #import(lines: string, [kind = "", ...options]: readonly string[]): Promise<void> {
    const directory = await mkdtemp(path.join(tmpdir(), "countinghouse-soak-"));
    try {
      const file = path.join(directory, `${kind}.ndjson`);
      await writeFile(file, lines);
      await runOps(this.#dataDir, ["import", kind, ...options, file]);
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  /** The load goes on with the new key at once; requests with the old one are still under way. */
  async #rotate(holder: Owners["ramp"][number] | undefined): Promise<void> {
    if (holder === undefined) return;
    const output = await runOps(this.#dataDir, [
      "keys",
      "rotate",
      holder.keyId,
      "--overlap",
      OVERLAP,
      "--yes",
      "--json",
    ]);
    const { id, apiKey } = JSON.parse(output) as { readonly id: string; readonly apiKey: string };
    holder.keyId = id;
    holder.apiKey = apiKey;
  }
}

const [NODE = process.execPath, ...WORDS] = commands.fromAnywhere.direct;

/** Runs the operator's command line on a local store, as an operator does. Resolves with its standard output. */
async function runOps(dataDir: string, argv: readonly string[]): Promise<string> {
  const child = spawn(NODE, [...WORDS, ...argv, "--data", dataDir], { stdio: ["ignore", "pipe", "pipe"] });
  const [output, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`\`${argv.join(" ")}\` ended with ${code}: ${complaints.trim()}`);
  return output;
}
