import { stat } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../lib/clock.ts";
import { ownMember } from "../../lib/own-member.ts";
import { ClockShift, shiftDate } from "../clock/clock-shift.ts";
import type { ExecutionReport, ExecutionTask, PrintReport, WorkerSettings } from "./execution-environment.ts";

/**
 * The thread of one execution environment: loads a bundle, then answers one event after another. An error that the
 * handler throws is reported. An uncaught error ends the thread, as it ends the process on Lambda.
 */

const EXTENSIONS = [".mjs", ".js", ".cjs"];

type Handler = (event: unknown, context: object) => unknown;

const settings = workerData as WorkerSettings;
const report = (message: ExecutionReport | PrintReport): void => parentPort?.postMessage(message);

/**
 * Reports what is written to a stream at once. The stream of a thread would wait to be asked for each text, which takes
 * two messages, and wakes both threads.
 */
function reportPrinted(stream: PrintReport["stream"]): void {
  const decoder = new StringDecoder();
  process[stream].write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error) => void),
    callback?: (error?: Error) => void,
  ): boolean => {
    const bytes =
      typeof encoding === "string" && typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    const text = typeof bytes === "string" ? bytes : decoder.write(Buffer.from(bytes));
    report({ id: settings.printId, kind: "printed", stream, text });
    const done = typeof encoding === "function" ? encoding : callback;
    if (done !== undefined) process.nextTick(done);
    return true;
  };
}

async function loadHandler({ codePath, handler }: WorkerSettings): Promise<Handler> {
  const [, file, name] = /^(.+)\.([^.]+)$/.exec(handler) ?? [];
  for (const extension of EXTENSIONS) {
    const path = join(codePath, `${file}${extension}`);
    if ((await stat(path).catch(() => undefined))?.isFile() !== true) continue;
    const exported = ownMember(
      (await import(pathToFileURL(path).href)) as Record<string, unknown>,
      name as string,
    );
    if (typeof exported === "function") return refuseCallbacks(exported as Handler);
    throw new Error(`${path} exports no function ${name}`);
  }
  throw new Error(`${codePath} has no module for the handler ${handler}`);
}

/** The error with which Lambda's runtime for Node.js 24 refuses to load a handler that takes a callback. */
const CALLBACK_REFUSAL =
  "Runtime.CallbackHandlerDeprecated: ERROR: AWS Lambda has removed support for callback-based function handlers starting with Node.js 24. " +
  "You need to modify this function to use a supported handler signature to use Node.js 24 or later. " +
  "For more information see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html.";

/** Lambda's runtime recognizes a handler that takes a callback by its third parameter. */
function refuseCallbacks(handler: Handler): Handler {
  if (handler.length < 3) return handler;
  throw new Error(CALLBACK_REFUSAL);
}

/** The segment of the trace that Lambda's own work would be. Nothing is traced here. */
const PARENT = "0".repeat(16);

/** The context that Lambda's runtime for Node.js 24 passes to functions, with the members that its guide lists. */
function contextOf({ requestId, deadlineMs }: ExecutionTask): object {
  const { functionName, memoryMb, functionArn } = settings;
  return {
    awsRequestId: requestId,
    // Lambda sets both only for callers that use the AWS Mobile SDK, never for an HTTP API.
    clientContext: undefined,
    identity: undefined,
    functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: functionArn,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: "local",
    memoryLimitInMB: `${memoryMb}`,
    getRemainingTimeInMillis: () => deadlineMs - systemClock(),
  };
}

/** Lambda tells a function the trace of each invocation. It goes on with the trace that the gateway began, if it did. */
function setTrace(event: unknown): void {
  const { headers = {} } = event as { readonly headers?: Readonly<Record<string, string>> };
  const root = headers["x-amzn-trace-id"];
  if (root !== undefined) process.env._X_AMZN_TRACE_ID = `${root};Parent=${PARENT};Sampled=0`;
}

async function answer(handler: Handler, task: ExecutionTask): Promise<void> {
  try {
    const event: unknown = JSON.parse(task.event);
    setTrace(event);
    const result = await handler(event, contextOf(task));
    // Lambda's runtime sends null for a function that returns nothing.
    report({ id: task.requestId, kind: "result", payload: JSON.stringify(result) ?? "null" });
  } catch (error) {
    report({
      id: task.requestId,
      kind: "failure",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

reportPrinted("stdout");
reportPrinted("stderr");
if (settings.clockShift !== undefined) shiftDate(new ClockShift(settings.clockShift));
const handler = await loadHandler(settings);
parentPort?.on("message", (task: ExecutionTask) => void answer(handler, task));
report({ id: settings.loadId, kind: "ready" });
