import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

const START = `${import.meta.dirname}/../../local/start.ts`;

/** The local gateway as a process of its own, as `npm start` runs it. */
export interface GatewayProcess extends AsyncDisposable {
  /** The gateway's address. Rejects with the output of a process that ends before it answers. */
  readonly baseUrl: Promise<string>;
  /** Ends the process as `kill -9` does, and resolves when it has ended. */
  readonly kill: () => Promise<void>;
}

/** Starts the gateway on a free port, without any other environment variables. */
export function spawnGateway(data: string): GatewayProcess {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [START, "--port", "0", "--data", data], {
    env: { PATH, HOME },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise: baseUrl, resolve, reject } = Promise.withResolvers<string>();
  // A test that kills a gateway before it answers does not wait for the address.
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
