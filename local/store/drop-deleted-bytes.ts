import type { StoreAddress } from "./engine.ts";
import { DROP_DELETED_TARGET } from "./wire.ts";

const REFUSED = 400;

/**
 * Lets the process that has a data directory's store remove from its files what was deleted or replaced. A store whose
 * tables are in another engine has no such files, and does nothing.
 *
 * @throws {Error} when the store fails, or does not answer.
 */
export async function dropDeletedBytes({ endpoint, accessKeyId }: StoreAddress): Promise<void> {
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`;
  const headers = { authorization, "x-amz-target": DROP_DELETED_TARGET };
  const { ok, status } = await fetch(endpoint, { method: "POST", headers, body: "{}" });
  if (!ok && status !== REFUSED) throw new Error(`The store did not clean its files (${status}).`);
}
