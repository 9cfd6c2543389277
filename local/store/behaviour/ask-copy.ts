import type { StoreAnswer, StoreHandler, StoreInput, StoreOperation } from "../wire.ts";

/** The store of a copy refused a request about data that the engine has. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
}

/** Sends a request to the store of a copy. Throws `CopyRefused` when the store refuses it. */
export async function askCopy(
  store: StoreHandler,
  operation: StoreOperation,
  input: StoreInput,
): Promise<StoreAnswer["body"]> {
  const { status, body } = await store({ operation, input });
  if (status !== 200) throw new CopyRefused(`A copy refused ${operation}: ${JSON.stringify(body)}`);
  return body;
}
