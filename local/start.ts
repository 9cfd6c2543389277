import { runStart } from "./run-start.ts";

await runStart(process.argv.slice(2));
