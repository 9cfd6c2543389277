import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { FlattenedSign, importJWK, type JWK } from "jose";
import { afterAll, expect, test } from "vitest";
import { exchangeKeyId, jwsKeyId, rampKeyId } from "../../lib/auth/credential.ts";
import { systemClock } from "../../lib/clock.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { signRequest } from "../../local/signing/sign-request.ts";
import { readLastUses } from "../../ops/credentials/last-uses.ts";
import { exchange } from "../../ops/wallet/http-exchange.ts";
import { installedEngines } from "../support/engine.ts";
import { startTestService } from "../support/service.ts";
import { fingerprintId } from "../support/wallet.ts";

const DAY_MS = 86_400_000;

const service = await startTestService(installedEngines[0] ?? "dynalite");
afterAll(() => service.close());

/** The ids of the credentials whose last use is known, and the days of those uses. */
async function lastUses(): Promise<ReadonlyMap<string, number>> {
  const rows = await Array.fromAsync(new CredentialRegister(service.table("Credentials")).list());
  return readLastUses(
    service.table("RateLimits"),
    rows.flatMap(({ credential }) => credential ?? []),
  );
}

const askOrder = (apiKey: string, id: string) => service.get(`/sell-orders/${id}`, { "x-api-key": apiKey });

async function askTrades(apiKey: string): Promise<number> {
  const { symbol, privateKeyFile, headerPrefix } = service.demo.exchange;
  const privateKey = createPrivateKey(await readFile(privateKeyFile, "utf8"));
  const path = `/1.0/trades/all/${symbol}?limit=1`;
  const signed = { method: "GET", url: `${service.baseUrl}${path}`, now: systemClock() };
  return (await service.get(path, signRequest(signed, { apiKey, privateKey }, headerPrefix))).status;
}

async function askPass(tls: { cert: string; key: string } | undefined): Promise<number> {
  const { partnerReference, version, versionHeader, jws, mtls } = service.demo.passes;
  const key = JSON.parse(await readFile(jws.privateKeyFile, "utf8")) as JWK;
  const iat = Math.floor(systemClock() / 1000);
  const header = { alg: "EdDSA", kid: jws.kid, iat, htm: "GET", htp: `/passes/${partnerReference}` };
  const { protected: head, signature } = await new FlattenedSign(new Uint8Array())
    .setProtectedHeader(header)
    .sign(await importJWK(key));
  const headers = { [versionHeader]: version, "Jws-Signature": `${head}..${signature}` };
  const base = tls === undefined ? service.baseUrl : mtls.url;
  const files = { ...tls, ca: await readFile(mtls.ca, "utf8") };
  return (await exchange(new URL(`${base}/passes/${partnerReference}`), headers, files)).status;
}

test("of each kind of credential is the day on which a request was charged to it; refused requests are not uses", async () => {
  const { ramp, exchange: trading, passes } = service.demo;
  const [cert, key] = [await readFile(passes.mtls.cert, "utf8"), await readFile(passes.mtls.key, "utf8")];
  expect(await lastUses()).toEqual(new Map());
  // Nobody's key, and a key without the scope: neither is charged.
  expect((await askOrder("A".repeat(43), ramp.orderId)).status).toBe(401);
  expect(await askTrades(trading.noScopeApiKey)).toBe(403);
  expect((await askOrder(ramp.apiKey, "no-id")).status).toBe(400);
  expect(await lastUses()).toEqual(new Map());
  const before = systemClock();
  expect((await askOrder(ramp.apiKey, ramp.orderId)).status).toBe(200);
  expect((await askOrder(ramp.otherApiKey, ramp.orderId)).status).toBe(404);
  expect(await askTrades(trading.apiKey)).toBe(200);
  expect(await askPass(undefined)).toBe(200);
  const used = [
    rampKeyId(ramp.apiKey),
    rampKeyId(ramp.otherApiKey),
    exchangeKeyId(trading.apiKey),
    jwsKeyId(passes.jws.kid),
  ];
  expect([...(await lastUses()).keys()].toSorted()).toEqual(used.toSorted());
  expect(await askPass({ cert, key })).toBe(200);
  const found = await lastUses();
  expect([...found.keys()].toSorted()).toEqual([...used, fingerprintId(cert)].toSorted());
  const today = (now: number): number => now - (now % DAY_MS);
  for (const day of found.values()) expect([today(before), today(systemClock())]).toContain(day);
});

test("costs nothing: a request that keeps it makes one write of one unit, as any other does", async () => {
  const { ramp } = service.demo;
  const bill = (await askOrder(ramp.apiKey, ramp.orderId)).headers.get("x-local-bill");
  expect(bill).toMatch(/(?:^|, )write-units=1\.0(?:,|$)/);
});
