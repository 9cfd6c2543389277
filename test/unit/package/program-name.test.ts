import { expect, test } from "vitest";
import { programName } from "../../../package/program-name.ts";

const name = (packageRoot: string, directory: string, runner?: string): string =>
  programName({ packageRoot, directory, environment: { npm_lifecycle_event: runner } });

test.each([
  ["run by npx from its cache", "/home/u/.npm/_npx/1/node_modules/countinghouse", "/home/u/app", "npx"],
  ["installed in the project", "/app/node_modules/countinghouse", "/app", undefined],
  ["installed above, and called below", "/app/node_modules/countinghouse", "/app/src/deep", undefined],
  ["installed in the project, and run by a script", "/app/node_modules/countinghouse", "/app", "api"],
])("npx calls the program again when it is %s", (_, root, directory, runner) => {
  expect(name(root, directory, runner)).toBe("npx countinghouse");
});

test.each([
  ["installed globally", "/usr/lib/node_modules/countinghouse", "/home/u/app"],
  ["installed in another project", "/other/node_modules/countinghouse", "/app"],
  ["installed beside, not above", "/app/sub/node_modules/countinghouse", "/app"],
])("its bare name calls the program again when it is %s", (_, root, directory) => {
  expect(name(root, directory)).toBe("countinghouse");
});
