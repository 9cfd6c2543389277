import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { OLDEST_NODE } from "../../publish/package/manifest.ts";
import { nodes } from "../support/installed-package.ts";

// npm has it for Linux on x64 alone; the tests of the package leave it out elsewhere, as they do before it is installed.
test.runIf(process.platform === "linux" && process.arch === "x64")(
  "the package is tried on the oldest Node.js that it promises to run on",
  () => {
    const versions = nodes.map(({ path }) => execFileSync(path, ["--version"], { encoding: "utf8" }).trim());
    expect(versions).toEqual([process.version, `v${OLDEST_NODE}.0`]);
  },
);
