import { mkdtempSync } from "node:fs";
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { bundlingOptions } from "../../infra/bundling/bundling-options.ts";
import type { ReplacedModule } from "../../infra/bundling/stand-ins.ts";
import type { Endpoint } from "../../infra/endpoints.ts";

/** An import of `node:http` in built code, which would load all of it (`infra/plain-http.ts`). */
export const HTTP_IMPORT = /(?:from|import\()\s*"(?:node:)?http"/;

/** A bundle, and esbuild's own account of what it read and what came out of it. */
export interface BuiltBundle {
  readonly file: string;
  readonly bytes: number;
  readonly metafile: Metafile;
}

/**
 * Builds the code of an endpoint's function, with stand-ins for these modules of the SDK alone, into a new directory within
 * another. The bytes are those that a deployment builds (`test/infra/bundles.test.ts` compares them), in a fraction of its time.
 */
export async function buildBundle(
  { entry }: Pick<Endpoint, "entry">,
  replaced: readonly ReplacedModule[],
  directory: string,
): Promise<BuiltBundle> {
  const file = path.join(mkdtempSync(path.join(directory, "bundle-")), "index.mjs");
  const { metafile } = await build({
    ...bundlingOptions(replaced),
    entryPoints: [entry],
    outfile: file,
    metafile: true,
  });
  const bytes = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === entry)?.bytes ?? 0;
  return { file, bytes, metafile };
}
