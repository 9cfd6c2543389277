import type { StoreAnswer, StoreHandler, StoreInput, StoreOperation } from "../wire.ts";

/** Asks a store of copies, which has no reason to refuse anything. */
export async function askCopy(
  store: StoreHandler,
  operation: StoreOperation,
  input: StoreInput,
): Promise<StoreAnswer["body"]> {
  const { status, body } = await store({ operation, input });
  if (status !== 200) throw new Error(`A copy refused ${operation}: ${JSON.stringify(body)}`);
  return body;
}
