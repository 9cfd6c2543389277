import { runProgram } from "./process/run-program.ts";
import { prepareStoreThread } from "./store/store-thread.ts";

/** Serves as the arguments say until a signal stops it, prints what a person has to know, and ends the process. */
export function runStart(args: readonly string[]): Promise<never> {
  prepareStoreThread();
  return runProgram(async () => (await import("./serve.ts")).serve(args));
}
