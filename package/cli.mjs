#!/usr/bin/env node
// Plain JavaScript that an old Node.js can parse, so that it gets to say what is wrong.
import { readFileSync } from "node:fs";
import module from "node:module";
import { setFlagsFromString } from "node:v8";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [neededMajor, neededMinor] = engines.node.replace(/^\D+/, "").split(".").map(Number);
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(
    `countinghouse needs Node.js ${neededMajor}.${neededMinor} or later, and this is ${process.versions.node}. ` +
      "Install a newer one, for example from https://nodejs.org/.",
  );
  process.exit(2);
}

// Compiled code is kept for the next run, where Node.js keeps it by default; where it cannot be kept, nothing is.
module.enableCompileCache();

// See local/require-node.mjs: with this budget of calls, V8 never replaces the code between WebAssembly and JavaScript.
setFlagsFromString("--wasm-wrapper-tiering-budget=2147483647");

await import("./main.mjs");
