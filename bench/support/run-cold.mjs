/**
 * A program: a function's cold start. Imports the bundle, calls its handler once, and prints what the whole process has used and
 * the status that was answered.
 */
import { readFileSync } from "node:fs";

const [bundle = "", eventFile = ""] = process.argv.slice(2);
const { handler } = await import(bundle);
const context = { getRemainingTimeInMillis: () => 10_000, awsRequestId: "invocation-1" };
const { statusCode } = await handler(JSON.parse(readFileSync(eventFile, "utf8")), context);
const { user, system } = process.cpuUsage();
process.stdout.write(`\n${JSON.stringify({ statusCode, cpuMs: (user + system) / 1_000 })}`, () =>
  process.exit(),
);
