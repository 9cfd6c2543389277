import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isWhole } from "./assembly-seal.ts";
import { draftOf, pruneKept, removeKept } from "./kept-directories.ts";

/** Assemblies kept for later starts: enough for the brands or branches that a developer switches between. */
const KEPT_MAX = 4;

/**
 * Keeps copies of assemblies for other starts, by the digest of their sources. Other starts, checkouts and users may
 * work on the cache at the same time, and may be killed: a copy is used only after it was found whole, and a failed
 * write is ignored.
 */
export class AssemblyCache {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Copies an assembly into a directory. @returns whether the copy is whole; one that is not is removed again. */
  async copyTo(directory: string, madeFrom: string): Promise<boolean> {
    await cp(this.#pathOf(madeFrom), directory, { recursive: true }).catch(() => {});
    if (await isWhole(directory, madeFrom)) return true;
    await rm(directory, { recursive: true, force: true });
    return false;
  }

  /** Keeps a copy of an assembly, and replaces one that is not whole. */
  async keep(directory: string, madeFrom: string): Promise<void> {
    const draft = draftOf(this.#pathOf(madeFrom));
    try {
      await mkdir(this.#directory, { recursive: true });
      await cp(directory, draft, { recursive: true });
      await removeKept(this.#pathOf(madeFrom));
      await rename(draft, this.#pathOf(madeFrom));
    } catch {
      // Without a kept copy, the next start synthesizes again.
      await rm(draft, { recursive: true, force: true }).catch(() => {});
    }
  }

  /** Marks an assembly as used, and removes the least recently used ones and abandoned drafts. */
  prune(madeFrom: string): Promise<void> {
    return pruneKept(this.#directory, madeFrom, { nowMs: this.#clock(), keptMax: KEPT_MAX });
  }

  #pathOf(name: string): string {
    return join(this.#directory, name);
  }
}
