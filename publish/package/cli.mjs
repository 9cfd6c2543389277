#!/usr/bin/env node
// Plain JavaScript that an old Node.js can parse, so that it gets to say what is wrong.
import module from "node:module";
import { setFlagsFromString } from "node:v8";
import { oldNode } from "./old-node.mjs";

const problem = oldNode();
if (problem !== undefined) {
  console.error(problem);
  process.exit(2);
}

// Compiled code is kept for the next run, where Node.js keeps it by default; where it cannot be kept, nothing is.
module.enableCompileCache();

// See local/require-node.mjs: with this budget of calls, V8 never replaces the code between WebAssembly and JavaScript.
setFlagsFromString("--wasm-wrapper-tiering-budget=2147483647");

// Options alone, or none, start the service as `npm start` does in a clone, or worlds; anything else is a command as after
// `npm run ops --`. Only the code of the one that is asked for is loaded.
const words = process.argv.slice(2);
const [first = "start"] = words;
const args = first === "start" ? words.slice(1) : words;
if (first !== "start" && !first.startsWith("-")) await import("./ops.mjs");
else if (args.includes("--worlds")) await (await import("./run-worlds.mjs")).runWorlds(args);
else await (await import("./run-start.mjs")).runStart(args);
