import { Worker } from "node:worker_threads";
import { places } from "../installation.ts";
import { compileCacheVariable } from "../process/compile-cache.ts";
import { LOCAL_REGION } from "./local-account.ts";

/** V8's own bound of 48 MB would be filled with garbage; four times less costs no more time. */
const YOUNG_MB = 12;

let prepared: Worker | undefined;

/** Starts the thread of this process's next store already: it loads its code while the rest of the program is loaded. */
export function prepareStoreThread(): void {
  prepared ??= newThread();
}

/** A thread for a store, which waits for its settings: the one that was prepared, or a new one. */
export function takeStoreThread(): Worker {
  const thread = prepared ?? newThread();
  prepared = undefined;
  return thread;
}

const newThread = (): Worker =>
  new Worker(places.storeThread, {
    name: "dynamodb",
    env: { AWS_REGION: LOCAL_REGION, ...compileCacheVariable() },
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
