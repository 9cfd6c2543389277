import { expect, test } from "vitest";
import { Sha256 } from "../../../infra/bundling/platform-checksum.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("digests the vectors of FIPS 180-4 and RFC 4231, in pieces too", async () => {
  const plain = new Sha256();
  plain.update("a");
  plain.update(Buffer.from("bc"));
  expect(hex(await plain.digest())).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const keyed = new Sha256("Jefe");
  keyed.update("what do ya want for nothing?");
  expect(hex(await keyed.digest())).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

test("begins again after a reset", async () => {
  const hash = new Sha256();
  hash.update("wrong");
  hash.reset();
  hash.update("abc");
  expect(hex(await hash.digest()).slice(0, 8)).toBe("ba7816bf");
});
