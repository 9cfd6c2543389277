import { expect, test, vi } from "vitest";
import { isSignatureOf, readPublicKey } from "../../../lib/signature/ed25519.ts";
import { BASE, bytesOfNumber, L, smallOrderEncodings, times } from "../../support/edwards.ts";

vi.mock("node:crypto", async (original) => ({ ...(await original<object>()), verify: () => true }));

const key = readPublicKey(times(12_345n, BASE).toBytes());
const R = times(67_890n, BASE).toBytes();
const P = 2n ** 255n - 19n;

const accepts = (r: Uint8Array, s: bigint) =>
  key && isSignatureOf("text", Buffer.concat([r, bytesOfNumber(s)]), key);

test("even a platform that verifies anything is asked only about R and S in their canonical forms", () => {
  expect(accepts(R, 0n)).toBe(true);
  expect(accepts(R, L - 1n)).toBe(true);
  for (const s of [L, L + 1n, 2n * L, 2n ** 255n, 2n ** 256n - 1n]) expect(accepts(R, s)).toBe(false);
  for (const r of smallOrderEncodings()) expect(accepts(r, 1n)).toBe(false);
  for (let y = P; y < 2n ** 255n; y += 1n) {
    expect(accepts(bytesOfNumber(y), 1n)).toBe(false);
    expect(accepts(bytesOfNumber(y + 2n ** 255n), 1n)).toBe(false);
  }
});
