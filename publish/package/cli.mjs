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

// Options alone, or none, start the service, and anything else is a command as after `npm run ops --`.
const [first = "start"] = process.argv.slice(2);
await import(first === "start" || first.startsWith("-") ? "./start.mjs" : "./ops.mjs");
