import { createPrivateKey } from "node:crypto";
import { request as httpsRequest } from "node:https";
import { signRequest } from "../../local/signing/sign-request.ts";
import type { World } from "../../publish/embed/types.ts";
import { sellOrderText } from "./documents.ts";

/** An order as a partner's system writes it, with digits that a double does not have. */
export const orderText = (id: string): string =>
  sellOrderText({ id }).replace('"amount":0.02', '"amount":0.100000000000000001');

/** The end of an answer that a test compares. */
export interface Asked {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

/** Sends a request to a world. */
export async function ask(
  world: Pick<World, "baseUrl">,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const answer = await fetch(`${world.baseUrl}${path}`, { headers });
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
}

/** The world's transaction, by its token or by another one. */
export const askTransaction = (
  world: World,
  token = world.credentials.business.token,
  id = world.credentials.business.transactionId,
): Promise<Asked> => ask(world, `/transaction/${id}`, { authorization: `Bearer ${token}` });

/** An order of the world's partner, by its key or by another one. */
export const askOrder = (
  world: World,
  apiKey = world.credentials.ramp.apiKey,
  id = world.credentials.ramp.orderId,
): Promise<Asked> => ask(world, `/sell-orders/${id}`, { "x-api-key": apiKey });

/** The newest trades of the world's busy market, signed by the world's clock. */
export function askTrades(
  world: Pick<World, "baseUrl" | "credentials" | "now">,
  limit = 5,
  range = "",
): Promise<Asked> {
  const { symbol, apiKey, privateKey, headerPrefix } = world.credentials.exchange;
  const path = `/1.0/trades/all/${symbol}?limit=${limit}${range}`;
  const key = { apiKey, privateKey: createPrivateKey(privateKey) };
  const url = `${world.baseUrl}${path}`;
  return ask(world, path, signRequest({ method: "GET", url, now: world.now() }, key, headerPrefix));
}

/** The world's pass, by its access token. */
export function askPass(world: World, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
  const { versionHeader, version, token, partnerReference } = world.credentials.passes;
  return ask(world, `/passes/${partnerReference}`, {
    authorization: `Bearer ${token}`,
    [versionHeader]: version,
    ...headers,
  });
}

/** The statuses that a world's own credentials get: one of each interface, and of the pass by a certificate. */
export async function everyStatus(world: World): Promise<readonly number[]> {
  const answers = [askTransaction, askOrder, askTrades, askPass].map((read) => read(world));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  return [...statuses, await askPassByCertificate(world)];
}

/** The status that the world's pass gets by a client certificate. */
export function askPassByCertificate(world: World, of: World = world): Promise<number> {
  const { versionHeader, version, partnerReference, mtls } = world.credentials.passes;
  const { cert, key } = of.credentials.passes.mtls;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const options = { ca: mtls.ca, cert, key, agent: false, headers: { [versionHeader]: version } };
  httpsRequest(`${mtls.url}/passes/${partnerReference}`, options, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  })
    .once("error", reject)
    .end();
  return promise;
}
