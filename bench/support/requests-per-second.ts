import { Agent, get } from "node:http";

/** A request that is sent again and again. */
export interface Load {
  readonly url: string;
  /** Headers of the n-th request. */
  readonly headers: (n: number) => Readonly<Record<string, string>>;
  readonly path: (n: number) => string;
  /** The statuses that an answer may have; 200 alone unless given. */
  readonly statuses?: readonly number[];
}

const CONNECTIONS = 16;

/** Sends requests over sixteen kept connections. @returns the answers a second. Throws for any other status. */
export async function requestsPerSecond(
  { url, headers, path, statuses = [200] }: Load,
  durationMs: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let [sent, answered] = [0, 0];
  const started = performance.now();
  const ends = started + durationMs;
  const client = async (): Promise<void> => {
    while (performance.now() < ends) {
      const n = sent;
      sent += 1;
      const status = await send(`${url}${path(n)}`, headers(n), agent);
      if (!statuses.includes(status)) throw new Error(`A request was answered with ${status}.`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  agent.destroy();
  return (1_000 * answered) / (performance.now() - started);
}

const send = (url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    }).once("error", reject);
  });
