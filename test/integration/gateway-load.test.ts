import { afterEach, expect, it } from "vitest";
import { ENVIRONMENTS_MAX } from "../../local/runtime/function-pool.ts";
import { startTestGateway, type TestGateway } from "../support/local-gateway.ts";
import { type Rendezvous, startRendezvous } from "../support/rendezvous.ts";

const meet = (url: string): string => `
import { threadId } from "node:worker_threads";
let running = 0;
export const meet = async () => {
  running += 1;
  await fetch("${url}");
  const seen = { threadId, running };
  running -= 1;
  return { statusCode: 200, body: JSON.stringify(seen) };
};`;

interface Seen {
  readonly threadId: number;
  readonly running: number;
}

let gateway: TestGateway | undefined;
let rendezvous: Rendezvous | undefined;
afterEach(async () => {
  rendezvous?.open();
  await gateway?.close();
  await rendezvous?.close();
});

async function start(): Promise<{ gateway: TestGateway; rendezvous: Rendezvous }> {
  rendezvous = await startRendezvous();
  gateway = await startTestGateway({
    endpoints: { meet: { routeKey: "GET /meet" } },
    code: meet(rendezvous.url),
  });
  return { gateway, rendezvous };
}

const request = async (url: string): Promise<Seen> => (await fetch(`${url}/meet`)).json() as Promise<Seen>;

it("requests run at the same time in several environments, each of which has one at a time", async () => {
  const { gateway, rendezvous } = await start();
  const answers = Array.from({ length: 9 }, () => request(gateway.url));
  await rendezvous.arrived(ENVIRONMENTS_MAX);
  rendezvous.open();
  const seen = await Promise.all(answers);
  expect(new Set(seen.map(({ threadId }) => threadId)).size).toBe(ENVIRONMENTS_MAX);
  expect(seen.every(({ running }) => running === 1)).toBe(true);
});

it("closing answers what is in flight, then takes no more connections", async () => {
  const { gateway, rendezvous } = await start();
  const answer = fetch(`${gateway.url}/meet`);
  await rendezvous.arrived(1);
  const closed = gateway.close();
  await expect(fetch(`${gateway.url}/meet`)).rejects.toThrow("fetch failed");
  rendezvous.open();
  const response = await answer;
  expect([response.status, response.headers.get("connection")]).toEqual([200, "close"]);
  await closed;
});
