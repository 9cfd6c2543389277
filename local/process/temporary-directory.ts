import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new directory for files of a while, which goes with them when it is disposed of. Node.js has the same since 24.4, and
 * the npm package runs on older ones.
 */
export async function temporaryDirectory(
  prefix: string,
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
