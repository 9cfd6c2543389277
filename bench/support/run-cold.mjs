/**
 * A program that makes a function's cold start. It imports the bundle, calls the handler once, and prints the status,
 * the CPU time of the whole process and the duration of the call, both in ms, and the process's resident memory in MB.
 */
import { readFileSync } from "node:fs";

const [bundle = "", eventFile = ""] = process.argv.slice(2);
const { handler } = await import(bundle);
const context = { getRemainingTimeInMillis: () => 10_000, awsRequestId: "invocation-1" };
const event = JSON.parse(readFileSync(eventFile, "utf8"));
const started = performance.now();
const { statusCode } = await handler(event, context);
const firstMs = performance.now() - started;
const { user, system } = process.cpuUsage();
const memoryMb = process.memoryUsage.rss() / 1024 ** 2;
const line = JSON.stringify({ statusCode, cpuMs: (user + system) / 1_000, firstMs, memoryMb });
process.stdout.write(`\n${line}`, () => process.exit());
