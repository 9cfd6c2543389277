// Plain JavaScript that is loaded before anything else: an old Node cannot parse the TypeScript that follows.
import { readFileSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [neededMajor, neededMinor] = engines.node.replace(/^\D+/, "").split(".").map(Number);
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(
    `countinghouse needs Node ${neededMajor}.${neededMinor} or later, and this is ${process.versions.node}. ` +
      "Run `npm ci` without --omit=optional, which installs a suitable Node for npm's scripts, or install a newer Node.",
  );
  process.exit(1);
}

// Compiled code is kept for the next start, which then takes a third less time. Where it cannot be kept, nothing is.
module.enableCompileCache(
  fileURLToPath(new URL("../node_modules/.cache/countinghouse-code", import.meta.url)),
);
