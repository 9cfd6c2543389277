import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { bundlingOptions } from "../../../infra/bundling/bundling-options.ts";
import { scratchDirectory } from "../../support/scratch.ts";

/** A project of one function and one package. */
const FILES = {
  "functions/a.ts": 'import { b } from "b";\nexport const a = () => b;\n',
  "packages/b/package.json": '{"name":"b","version":"1.0.0","main":"b.js"}',
  "packages/b/b.js": "exports.b = 1;\n",
};

/** The bundle and the source map of the project in a folder, whose node_modules is a link to where the packages are. */
async function bundleIn(folder: string, packages: string): Promise<readonly string[]> {
  const place = (path: string) => path.replace(/^packages/, packages);
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, place(path))), { recursive: true });
    await writeFile(join(folder, place(path)), text);
  }
  if (packages !== "node_modules") await symlink(join(folder, packages), join(folder, "node_modules"));
  const { outputFiles } = await build({
    ...bundlingOptions([]),
    absWorkingDir: folder,
    entryPoints: { "bundles/a/index": "functions/a.ts" },
    outdir: folder,
    write: false,
  });
  return outputFiles.map(({ text }) => text);
}

test("a bundle and its source map are the same wherever the project and its packages are", async () => {
  const [map, code] = await bundleIn(join(scratchDirectory(), "one"), "node_modules");
  expect(JSON.parse(map ?? "").sources).toEqual(["../../node_modules/b/b.js", "../../functions/a.ts"]);
  for (const packages of ["elsewhere", "some/where/else"])
    expect(await bundleIn(join(scratchDirectory(), "another/two"), packages)).toEqual([map, code]);
});
