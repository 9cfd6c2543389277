import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { NOW } from "../../../support/chain.ts";
import { REFERENCES, startPassServer, type Traits, walletFor } from "../../../support/pass-server.ts";

/** A server that notes what it is asked, and a wallet that signs its requests while the clock stands still. */
async function startSigned(traits: Traits = {}) {
  const { url, state } = await startPassServer({ isSigned: () => true, ...traits });
  const { requests } = state;
  const { privateKey } = generateKeyPairSync("ed25519");
  const signingKey = { ...privateKey.export({ format: "jwk" }), kid: "k", alg: "EdDSA" };
  const wallet = walletFor(url, { credentials: { signingKey, tls: {} } });
  const signed = (): Record<string, unknown>[] =>
    requests.map(({ headers }) => {
      const [head = ""] = headers["jws-signature"]?.split(".") ?? [];
      return JSON.parse(Buffer.from(head, "base64url").toString());
    });
  return { wallet, signed, requests };
}

const probe = { reference: REFERENCES.current };

describe("each request has a signature of its own, however soon it follows another:", () => {
  test("one poll and the next, in one second", async () => {
    const { wallet, signed } = await startSigned();
    await wallet.send(probe);
    await wallet.send(probe);
    const [first, second] = signed();
    expect(first).toMatchObject({ iat: NOW / 1_000, htm: "GET", htp: "/passes/ref-1" });
    expect({ ...second, jti: first?.jti }).toEqual(first);
    expect(first?.jti).not.toBe(second?.jti);
    for (const { jti } of signed()) expect(jti).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("one and its repetition after a refusal", async () => {
    const change: Traits["change"] = (answer, _, { requests }) =>
      requests.length === 1 ? { status: 429, headers: { "retry-after": "1" }, body: "" } : answer;
    const { wallet, signed } = await startSigned({ change });
    expect(await wallet.get(probe)).toMatchObject({ status: 200 });
    expect(new Set(signed().map(({ jti }) => jti)).size).toBe(2);
  });

  test("both that go over one connection when the wire is read", async () => {
    const { wallet, signed, requests } = await startSigned({ keepsConnections: true });
    await wallet.readWire(probe);
    expect(new Set(signed().map(({ jti }) => jti)).size).toBe(2);
    expect(new Set(requests.map((request) => request.headers["request-id"])).size).toBe(2);
  });
});

test("a header's bytes are sent as they came, on the wire too", async () => {
  const { wallet, requests } = await startSigned({ keepsConnections: true });
  const tag = '"caf\u00e9\u0080\u00ff"';
  await wallet.send({ ...probe, headers: { "If-None-Match": tag } });
  await wallet.readWire({ ...probe, headers: { "If-None-Match": tag } });
  expect(requests.map(({ headers }) => headers["if-none-match"])).toEqual([tag, tag, tag]);
});

test("every refusal is kept, with the request that it answers", async () => {
  const { wallet } = await startSigned({ change: () => ({ status: 429, headers: {}, body: "" }) });
  for (const id of [undefined, "mine"]) await wallet.send({ ...probe, headers: { "Request-Id": id } });
  expect(wallet.refusals.map(({ status, request }) => [status, request.headers["Request-Id"]])).toEqual([
    [429, undefined],
    [429, "mine"],
  ]);
});
