import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

const START = `${import.meta.dirname}/../../local/start.ts`;

/** The local gateway as a process of its own, as `npm start` runs it. */
export interface GatewayProcess extends AsyncDisposable {
  /** Where it answers. Rejects, with what it printed, when it ends without ever answering. */
  readonly baseUrl: Promise<string>;
  /** Ends it as `kill -9` does, and resolves when it is gone. */
  readonly kill: () => Promise<void>;
}

/** Starts the gateway on a free port, in an environment that says nothing else. */
export function spawnGateway(data: string): GatewayProcess {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [START, "--port", "0", "--data", data], {
    env: { PATH, HOME },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise: baseUrl, resolve, reject } = Promise.withResolvers<string>();
  // Who kills a gateway that was still starting asks no more where it answers.
  baseUrl.catch(() => {});
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    const url = /^countinghouse answers at (\S+)$/.exec(line)?.[1];
    if (url !== undefined) resolve(url);
  });
  const gone = Promise.all([once(child, "close"), text(child.stderr)]).then(([, complaint]) =>
    reject(new Error(`The gateway ended before it answered:\n${lines.join("\n")}\n${complaint}`)),
  );
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  return { baseUrl, kill, [Symbol.asyncDispose]: kill };
}
