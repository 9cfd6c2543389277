import type { StoreAnswer, StoreHandler, StoreInput, StoreOperation } from "../wire.ts";

/** A copy takes something not that its engine has. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
}

/** Asks a store of copies, which has little reason to refuse anything. Throws `CopyRefused`. */
export async function askCopy(
  store: StoreHandler,
  operation: StoreOperation,
  input: StoreInput,
): Promise<StoreAnswer["body"]> {
  const { status, body } = await store({ operation, input });
  if (status !== 200) throw new CopyRefused(`A copy refused ${operation}: ${JSON.stringify(body)}`);
  return body;
}
