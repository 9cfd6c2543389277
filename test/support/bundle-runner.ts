import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { transformSync } from "esbuild";

/** A bundle's answers to the events, in their order. */
export type BundleAnswers = readonly { readonly statusCode: number; readonly body: string }[];

const RUN = `
  const { parentPort, workerData } = require("node:worker_threads");
  const context = { getRemainingTimeInMillis: () => workerData.remainingMs ?? 10_000, awsRequestId: "invocation-1" };
  import(workerData.first ?? workerData.bundle).then(async () => {
    const { handler } = await import(workerData.bundle);
    const answers = [];
    for (const event of workerData.events) answers.push(await handler(event, context));
    parentPort.postMessage(answers);
  });
`;

/** What a thread runs before the bundle: a program, by its path, and what that finds in `workerData`. */
export interface Preparation {
  readonly first: string;
  readonly told: Readonly<Record<string, unknown>>;
}

const withoutTypes = new Map<string, string>();

/** The address of a program that imports nothing of the project, as JavaScript: each thread would read its types anew. */
function addressOf(program: string): string {
  const known = withoutTypes.get(program);
  if (known !== undefined) return known;
  const { code } = transformSync(readFileSync(program, "utf8"), { loader: "ts" });
  const address = `data:text/javascript,${encodeURIComponent(code)}`;
  withoutTypes.set(program, address);
  return address;
}

/** Runs a bundle in a thread of its own, with the environment that its template gives it and nothing else. */
export function runBundle(
  bundle: string,
  env: Readonly<Record<string, string>>,
  events: readonly unknown[],
  { first, told }: Partial<Preparation> = {},
): Promise<BundleAnswers> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(RUN, {
      eval: true,
      env,
      workerData: { bundle, events, ...(first !== undefined && { first: addressOf(first) }), ...told },
      stdout: true,
    });
    worker.once("message", (answers: BundleAnswers) => {
      resolve(answers);
      void worker.terminate();
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`The bundle ended with ${code} before it answered.`)));
  });
}

/** A payload-2.0 event of a GET, with the members that a handler reads. */
export function getEvent(
  routePath: string,
  headers: Readonly<Record<string, string>>,
  pathParameters: Readonly<Record<string, string>> = {},
): unknown {
  const [rawPath, rawQueryString = ""] = routePath.split("?");
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    headers,
    pathParameters,
    requestContext: { http: { method: "GET", path: rawPath }, requestId: "request-1", timeEpoch: 0 },
    isBase64Encoded: false,
  };
}
