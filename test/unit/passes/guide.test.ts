import type { JWK } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { jwsKeyId } from "../../../lib/auth/credential.ts";
import { detachedJws } from "../../../lib/auth/detached-jws.ts";
import { readRequest } from "../../../lib/http/request.ts";
import { signDetached } from "../../../ops/wallet/jws-signer.ts";
import { NOW } from "../../support/chain.ts";
import { projectText } from "../../support/project.ts";
import { walletEvent } from "../../support/wallet.ts";

interface VectorHeader {
  readonly alg: string;
  readonly kid: string;
  readonly iat: number;
  readonly jti: string;
}

describe("the vector of docs/passes.md", () => {
  let cell: (name: string) => string;
  let header: VectorHeader;
  let jwk: JWK;

  beforeAll(async () => {
    const guide = projectText("docs/passes.md");
    cell = (name) => new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, "m").exec(guide)?.[1] ?? "";
    header = JSON.parse(cell("header")) as VectorHeader;
    jwk = JSON.parse(cell("private key \\(JWK\\)")) as JWK;
  });

  test("is what our signer produces", async () => {
    const { alg, kid, iat, jti } = header;
    const path = cell("request").replace("GET ", "");
    const jws = await signDetached({ ...jwk, alg, kid }, path, () => iat * 1000, jti);
    expect(jws).toBe(cell("Jws-Signature"));
    expect(jws.startsWith(cell("signed text"))).toBe(true);
    expect(Buffer.from(cell("signed text"), "base64url").toString()).toBe(cell("header"));
  });

  test("is accepted, and would not be accepted for another pass", async () => {
    const { kty, crv, x } = jwk;
    const id = jwsKeyId(header.kid);
    const publicKey = JSON.stringify({ kty, crv, x, alg: header.alg });
    const credential = { id, kind: "jws", owner: "w", scopes: [], createdAt: NOW, publicKey } as const;
    const evidence = detachedJws({
      credentials: { get: async (asked) => (asked === id ? credential : undefined) },
      clock: () => header.iat * 1000,
      basePath: "",
      requiresBinding: true,
    });
    const read = (reference: string) =>
      evidence.authenticate(
        readRequest(walletEvent({ reference, headers: { "jws-signature": cell("Jws-Signature") } })),
      );
    await expect(read("demo-1")).resolves.toMatchObject({ owner: "w" });
    await expect(read("demo-2")).rejects.toThrow();
  });
});
