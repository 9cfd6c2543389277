import { describe, expect, test } from "vitest";
import { programName, shownPath } from "../../../../publish/package/program-name.ts";

interface Given {
  readonly runner?: string;
  readonly manifests?: Readonly<Record<string, unknown>>;
}

const name = (packageRoot: string, directory: string, { runner, manifests = {} }: Given = {}): string =>
  programName({
    packageRoot,
    directory,
    environment: { npm_lifecycle_event: runner },
    readManifest: (path) => manifests[path],
  });

test.each([
  ["installed in the project", "/app/node_modules/countinghouse", "/app", undefined],
  ["installed in the project, and run by npx", "/app/node_modules/countinghouse", "/app", "npx"],
  ["installed above, and called below", "/app/node_modules/countinghouse", "/app/src/deep", undefined],
  ["installed in the project, and run by a script", "/app/node_modules/countinghouse", "/app", "api"],
])("npx calls the program again when it is %s", (_, root, directory, runner) => {
  expect(name(root, directory, { ...(runner !== undefined && { runner }) })).toBe("npx countinghouse");
});

test.each([
  ["installed globally", "/usr/lib/node_modules/countinghouse", "/home/u/app"],
  ["installed in another project", "/other/node_modules/countinghouse", "/app"],
  ["installed beside, not above", "/app/sub/node_modules/countinghouse", "/app"],
])("its bare name calls the program again when it is %s", (_, root, directory) => {
  expect(name(root, directory)).toBe("countinghouse");
});

describe("npx, which runs the package from a folder of its own, is asked again for the same", () => {
  const folder = "/home/u/.npm/_npx/1";
  const root = `${folder}/node_modules/countinghouse`;
  const asked = (spec: string, installed: string, directory = "/home/u/app"): string =>
    name(root, directory, {
      runner: "npx",
      manifests: {
        [`${folder}/package.json`]: {
          dependencies: { countinghouse: installed },
          _npx: { packages: [spec] },
        },
      },
    });

  test.each([
    ["a name", "countinghouse", "^0.1.0", "npx countinghouse"],
    ["a version", "countinghouse@0.1.0", "0.1.0", "npx countinghouse@0.1.0"],
    ["a tarball that lies here", "./a.tgz", "file:../../../app/a.tgz", "npx ./a.tgz"],
    ["a tarball that lies elsewhere", "../b/a.tgz", "file:../../../b/a.tgz", "npx /home/u/b/a.tgz"],
  ])("%s", (_, spec, installed, called) => {
    expect(asked(spec, installed)).toBe(called);
  });

  test.each([
    ["no manifest", {}],
    ["a manifest of something else", { [`${folder}/package.json`]: { name: "other" } }],
  ])("by its name, where there is %s", (_, manifests) => {
    expect(name(root, "/home/u/app", { runner: "npx", manifests })).toBe("npx countinghouse");
  });
});

test.each([
  ["below the directory", "/app/node_modules/p/docs", "/app", "node_modules/p/docs"],
  ["above the directory", "/app/docs", "/app/src", "/app/docs"],
  ["beside the directory", "/application/docs", "/app", "/application/docs"],
  ["the directory itself", "/app", "/app", "/app"],
])("a path %s is shown as a person there types it", (_, path, directory, shown) => {
  expect(shownPath(path, directory)).toBe(shown);
});
