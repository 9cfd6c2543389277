import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { Wallet } from "../../../../ops/wallet/wallet.ts";
import { NOW } from "../../../support/chain.ts";
import { type PassRequest, REFERENCES, startPassServer, type Traits } from "../../../support/pass-server.ts";

/** A server that notes what it is asked, and a wallet that signs its requests while the clock stands still. */
async function startSigned(traits: Traits = {}) {
  const requests: PassRequest[] = [];
  const change: Traits["change"] = (answer, request, state) => {
    requests.push(request);
    return traits.change?.(answer, request, state) ?? answer;
  };
  const server = await startPassServer({ isSigned: () => true, ...traits, change });
  const { privateKey } = generateKeyPairSync("ed25519");
  const wallet = new Wallet({
    baseUrl: new URL(server.url),
    credentials: {
      signingKey: { ...privateKey.export({ format: "jwk" }), kid: "k", alg: "EdDSA" },
      tls: {},
    },
    version: "2026-07-01",
    versionHeader: contractBrand.versionHeader,
    clock: () => NOW,
    wait: async () => {},
  });
  const headers = () =>
    requests.map(
      (request) =>
        JSON.parse(
          Buffer.from(request.headers["jws-signature"]?.split(".")[0] ?? "", "base64url").toString(),
        ) as Record<string, unknown>,
    );
  return { wallet, headers, requests, close: server.close };
}

const probe = { reference: REFERENCES.current };

describe("each request has a signature of its own, however soon it follows another:", () => {
  test("one poll and the next, in one second", async () => {
    const { wallet, headers, close } = await startSigned();
    await wallet.send(probe);
    await wallet.send(probe);
    const [first, second] = headers();
    expect(first).toMatchObject({ iat: NOW / 1_000, htm: "GET", htp: "/passes/ref-1" });
    expect({ ...second, jti: first?.jti }).toEqual(first);
    expect(new Set([first?.jti, second?.jti]).size).toBe(2);
    for (const { jti } of headers()) expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    await close();
  });

  test("one and its repetition after a refusal", async () => {
    let asked = 0;
    const change: Traits["change"] = (answer) => {
      asked += 1;
      return asked === 1 ? { status: 429, headers: { "retry-after": "1" }, body: "" } : answer;
    };
    const { wallet, headers, close } = await startSigned({ change });
    expect(await wallet.get(probe)).toMatchObject({ status: 200 });
    expect(new Set(headers().map(({ jti }) => jti)).size).toBe(2);
    await close();
  });

  test("both that go over one connection when the wire is read", async () => {
    const { wallet, headers, requests, close } = await startSigned({ keepsConnections: true });
    await wallet.readWire(probe);
    expect(new Set(headers().map(({ jti }) => jti)).size).toBe(2);
    expect(new Set(requests.map((request) => request.headers["request-id"])).size).toBe(2);
    await close();
  });
});

test("a header's bytes are sent as they came, on the wire too", async () => {
  const { wallet, requests, close } = await startSigned({ keepsConnections: true });
  const tag = '"caf\u00e9\u0080\u00ff"';
  await wallet.send({ ...probe, headers: { "If-None-Match": tag } });
  await wallet.readWire({ ...probe, headers: { "If-None-Match": tag } });
  expect(requests.map(({ headers }) => headers["if-none-match"])).toEqual([tag, tag, tag]);
  await close();
});

test("every refusal is kept, with the request that it answers", async () => {
  const { wallet, close } = await startSigned({ change: () => ({ status: 429, headers: {}, body: "" }) });
  await wallet.send({ ...probe, headers: { "Request-Id": undefined } });
  await wallet.send({ ...probe, headers: { "Request-Id": "mine" } });
  expect(wallet.refusals.map(({ status, request }) => [status, request.headers["Request-Id"]])).toEqual([
    [429, undefined],
    [429, "mine"],
  ]);
  await close();
});
