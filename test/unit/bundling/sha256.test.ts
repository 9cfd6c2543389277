import { Sha256 as SdkSha256 } from "@smithy/core/checksum";
import { HttpRequest } from "@smithy/core/protocols";
import { SignatureV4 } from "@smithy/signature-v4";
import { describe, expect, test, vi } from "vitest";
import { Sha256 } from "../../../infra/bundling/sha256.ts";

/** Counts the keys that are made of secrets. */
const { createSecretKey } = vi.hoisted(() => ({ createSecretKey: vi.fn<(...secret: unknown[]) => void>() }));
vi.mock(import("node:crypto"), async (original) => {
  const crypto = await original();
  return {
    ...crypto,
    createSecretKey: ((...secret: [never, never]) => {
      createSecretKey(...secret);
      return crypto.createSecretKey(...secret);
    }) as typeof crypto.createSecretKey,
  };
});

type Hashes = typeof Sha256 | typeof SdkSha256;

async function hashOf(Hash: Hashes, text: string, secret?: string | ArrayBuffer | ArrayBufferView) {
  const hash = new Hash(secret);
  for (const piece of text.split("|")) hash.update(new TextEncoder().encode(piece));
  return Buffer.from(await hash.digest()).toString("hex");
}

const bytes = Uint8Array.from({ length: 40 }, (_, at) => at);
const secrets = {
  nothing: undefined,
  "an empty text": "",
  text: "AWS4sécret",
  "a long text": "s".repeat(100),
  bytes,
  "a part of a buffer": bytes.subarray(3, 9),
  "a buffer": bytes.buffer,
  "a view of a buffer": new DataView(bytes.buffer, 5, 7),
};

describe("the hash of a signature", () => {
  test.each(Object.entries(secrets))("is the SDK's with %s as secret", async (_, secret) => {
    for (const text of ["", "text", "in |two pieces", "é".repeat(1_000)])
      expect(await hashOf(Sha256, text, secret)).toBe(await hashOf(SdkSha256, text, secret));
  });

  test("tells apart arrays of the same bytes, and texts that were asked for before", async () => {
    for (const secret of ["one", "two", Uint8Array.of(1), Uint8Array.of(2), "one", Uint8Array.of(1)])
      expect(await hashOf(Sha256, "text", secret)).toBe(await hashOf(SdkSha256, "text", secret));
  });

  test("makes no key for a signature, but the first of a day", async () => {
    const credentials = { accessKeyId: "id", secretAccessKey: "not-a-secret", sessionToken: "session" };
    const signer = new SignatureV4({ service: "dynamodb", region: "here", credentials, sha256: Sha256 });
    const sign = (day: number) =>
      signer.sign(new HttpRequest({ hostname: "store.test", headers: { host: "store.test" }, body: "{}" }), {
        signingDate: new Date(Date.UTC(2026, 10, day)),
      });
    createSecretKey.mockClear();
    const first = await sign(28);
    // The credentials' own, four on the way to the key of the day, and that key.
    expect(createSecretKey).toHaveBeenCalledTimes(6);
    for (let more = 0; more < 50; more += 1) expect((await sign(28)).headers).toEqual(first.headers);
    expect(createSecretKey).toHaveBeenCalledTimes(6);
    await sign(29);
    expect(createSecretKey).toHaveBeenCalledTimes(10);
  });
});
