// Plain JavaScript that is loaded before anything else: an old Node cannot parse the TypeScript that follows.
import { readFileSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

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

// When WebAssembly has called JavaScript a thousand times, V8 replaces the code between them, and frees the old code while
// other threads may use it. Now and then that ends the process ("Check failed: jit_page.has_value()", or a segmentation
// fault; https://github.com/nodejs/node/issues/64500). Each of our threads runs WebAssembly, because Node.js reads
// TypeScript with it. With this budget of calls, the code is never replaced.
setFlagsFromString("--wasm-wrapper-tiering-budget=2147483647");

// A first start waits for esbuild, which is written in Go: with more garbage between its collections it is a tenth faster.
process.env.GOGC ??= "400";
