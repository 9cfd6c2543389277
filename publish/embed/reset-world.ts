import type { Entry } from "dynalite/db/index.js";
import type { Faults } from "../../local/faults/faults.ts";
import type { Turnstile } from "../../local/gateway/turnstile.ts";
import type { ClockShift } from "../../local/runtime/clock-shift.ts";
import {
  openPools,
  type Pools,
  type PoolsOptions,
  prepareRenewal,
} from "../../local/runtime/function-pools.ts";
import type { MemoryStore } from "../../local/store/memory-store.ts";

/** How long requests under way may take before they are left to fail with a 503. */
const DRAIN_MS = 300;

export interface ResetParts {
  readonly store: MemoryStore;
  /** The store's content at the start, with the credentials that were handed out. */
  readonly initial: readonly Entry[];
  readonly pools: Pools;
  readonly live: PoolsOptions;
  readonly turnstile: Turnstile;
  readonly faults: Faults;
  readonly shift: { readonly clockShift: ClockShift; readonly startMs: () => number };
}

/**
 * Returns a function that puts a world back to its start. New requests wait meanwhile, and get functions that remember
 * nothing. Calls while a reset runs share it.
 */
export function resetOf(parts: ResetParts): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= reset(parts).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function reset({ store, initial, pools, live, turnstile, faults, shift }: ResetParts): Promise<void> {
  const renewal = await prepareRenewal(pools, live, openPools);
  await turnstile.hold(DRAIN_MS, async () => {
    await renewal.bar();
    try {
      await store.content.replace(initial);
      shift.clockShift.ms = shift.startMs();
    } finally {
      await renewal.exchange();
    }
  });
  await faults.clear();
}
