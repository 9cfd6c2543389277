import type { OperatorStore } from "../../ops/store/operator-store.ts";
import { openStore } from "../../ops/store/store.ts";
import type { StoreOptions } from "../../ops/store/store-options.ts";

/** Works on a store that is opened as commands open it, and closes it. A local one is made where there is none. */
export async function withStore<Result>(
  options: StoreOptions,
  work: (store: OperatorStore) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(options, "a place to write");
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
