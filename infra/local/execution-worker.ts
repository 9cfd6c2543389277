import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../lib/clock.ts";
import type { ExecutionReport, ExecutionTask, WorkerSettings } from "./execution-environment.ts";

/**
 * The inside of one execution environment: loads a bundle, then answers one event after the other. An error that the
 * handler throws is reported; one that nobody caught ends the thread, as it ends the process on Lambda.
 */
const EXTENSIONS = [".mjs", ".js", ".cjs"];

type Handler = (event: unknown, context: object) => unknown;

const settings = workerData as WorkerSettings;
const report = (message: ExecutionReport): void => parentPort?.postMessage(message);

async function loadHandler({ codePath, handler }: WorkerSettings): Promise<Handler> {
  const [, file, name] = /^(.+)\.([^.]+)$/.exec(handler) ?? [];
  for (const extension of EXTENSIONS) {
    const path = join(codePath, `${file}${extension}`);
    if ((await stat(path).catch(() => undefined))?.isFile() !== true) continue;
    const exported = ((await import(pathToFileURL(path).href)) as Record<string, unknown>)[name as string];
    if (typeof exported === "function") return exported as Handler;
    throw new Error(`${path} exports no function ${name}`);
  }
  throw new Error(`${handler} is no module of ${codePath}`);
}

/** The members that Node.js functions get from Lambda. */
function contextOf({ requestId, deadlineMs }: ExecutionTask): object {
  const { functionName, memoryMb, functionArn } = settings;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: functionArn,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: "local",
    memoryLimitInMB: `${memoryMb}`,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - systemClock()),
  };
}

async function answer(handler: Handler, task: ExecutionTask): Promise<void> {
  try {
    const result = await handler(JSON.parse(task.event), contextOf(task));
    // Lambda's runtime sends null for a function that returns nothing.
    report({ kind: "result", payload: JSON.stringify(result) ?? "null" });
  } catch (error) {
    report({
      kind: "failure",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

const handler = await loadHandler(settings);
parentPort?.on("message", (task: ExecutionTask) => void answer(handler, task));
report({ kind: "ready" });
