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

const CALLERS = 16;

/** Sends requests over sixteen kept connections. @returns the answers a second. Throws for any other status. */
export async function requestsPerSecond(
  { url, headers, path, statuses }: Load,
  durationMs: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const ask = (n: number): Promise<number> => send(`${url}${path(n)}`, headers(n), agent);
  const perSecond = await answersPerSecond(ask, durationMs, statuses);
  agent.destroy();
  return perSecond;
}

/** Lets sixteen callers ask again and again. @returns the answers a second. Throws for any other status. */
export async function answersPerSecond(
  ask: (n: number) => Promise<number>,
  durationMs: number,
  statuses: readonly number[] = [200],
): Promise<number> {
  let [sent, answered] = [0, 0];
  const started = performance.now();
  const caller = async (): Promise<void> => {
    while (performance.now() < started + durationMs) {
      const n = sent;
      sent += 1;
      const status = await ask(n);
      if (!statuses.includes(status)) throw new Error(`A request was answered with ${status}.`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (1_000 * answered) / (performance.now() - started);
}

const send = (url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    }).once("error", reject);
  });
