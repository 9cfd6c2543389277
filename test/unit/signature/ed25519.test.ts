import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  isSignatureOf,
  isSoundSignature,
  isUsablePoint,
  readPublicKey,
} from "../../../lib/signature/ed25519.ts";
import {
  BASE,
  brew,
  bytesOfNumber,
  type EdgeCase,
  equationHolds,
  L,
  smallOrderEncodings,
  times,
  torsionPoints,
} from "../../support/edwards.ts";

const [SECRET, NONCE] = [0x1d2c3b4a59687786958473625140n, 0x7766554433221100ffeeddccbbaan];
const TORSION = torsionPoints[1] as (typeof torsionPoints)[number];
const torsion = (n: bigint) => times(((n % 8n) + 8n) % 8n, TORSION);

const cleanA = times(SECRET, BASE);
const mixedA = cleanA.add(TORSION);
const R = times(NONCE, BASE);
const any = () => true;
const sumS = (h: bigint) => (NONCE + h * SECRET) % L;

const P = 2n ** 255n - 19n;
const identityUnreduced = bytesOfNumber(P + 1n);
const identity = bytesOfNumber(1n);

const verifies = ({ publicKey, signature, text }: EdgeCase): boolean => {
  const key = readPublicKey(publicKey);
  return key !== undefined && isSignatureOf(text, signature, key);
};

const withS = (edgeCase: EdgeCase, change: (s: bigint) => bigint): EdgeCase => {
  const s = BigInt(`0x${Buffer.from(edgeCase.signature.subarray(32).toReversed()).toString("hex")}`);
  return {
    ...edgeCase,
    signature: Buffer.concat([edgeCase.signature.subarray(0, 32), bytesOfNumber(change(s))]),
  };
};

const honest = brew({ a: cleanA.toBytes(), r: R.toBytes(), s: sumS, fits: any });

describe("the twelve edge cases of Ed25519, each of which some verifier accepts", () => {
  test.each([
    [
      "A and R of small order, S = 0",
      brew({
        a: TORSION.toBytes(),
        r: torsion(3n).toBytes(),
        s: () => 0n,
        fits: (h) => (h + 3n) % 8n === 0n,
      }),
    ],
    [
      "A of small order, R of mixed order",
      brew({
        a: TORSION.toBytes(),
        r: R.add(torsion(5n)).toBytes(),
        s: () => NONCE,
        fits: (h) => (h + 5n) % 8n === 0n,
      }),
    ],
    [
      "A of mixed order, R of small order",
      brew({
        a: mixedA.toBytes(),
        r: torsion(2n).toBytes(),
        s: (h) => (h * SECRET) % L,
        fits: (h) => (h + 2n) % 8n === 0n,
      }),
    ],
    ["S beyond L", withS(honest, (s) => s + L)],
    ["S far beyond L", withS(honest, (s) => s + 14n * L)],
    [
      "R not reduced",
      brew({
        a: mixedA.toBytes(),
        r: identityUnreduced,
        s: (h) => (h * SECRET) % L,
        fits: (h) => h % 8n === 0n,
      }),
    ],
    ["A not reduced", brew({ a: identityUnreduced, r: R.toBytes(), s: () => NONCE, fits: any })],
  ])("%s: refused, although the equation holds", (_, edgeCase) => {
    expect(equationHolds(edgeCase, 1n)).toBe(true);
    expect(verifies(edgeCase)).toBe(false);
  });

  test.each([
    [
      "A and R of mixed order",
      brew({
        a: mixedA.toBytes(),
        r: R.add(torsion(1n)).toBytes(),
        s: sumS,
        fits: (h) => (h + 1n) % 8n !== 0n,
      }),
    ],
    [
      "A of mixed order, R of the prime order",
      brew({ a: mixedA.toBytes(), r: R.toBytes(), s: sumS, fits: (h) => h % 8n !== 0n }),
    ],
  ])("%s, the equation holding with the cofactor only: refused", (_, edgeCase) => {
    expect(equationHolds(edgeCase, 8n)).toBe(true);
    expect(equationHolds(edgeCase, 1n)).toBe(false);
    expect(verifies(edgeCase)).toBe(false);
  });

  test("R not reduced, hashed as if it were: refused", () => {
    const edgeCase = brew({
      a: mixedA.toBytes(),
      r: identityUnreduced,
      hashedR: identity,
      s: (h) => (h * SECRET) % L,
      fits: (h) => h % 8n === 0n,
    });
    expect(equationHolds(edgeCase, 1n, { r: identity })).toBe(true);
    expect(verifies(edgeCase)).toBe(false);
  });

  test("A not reduced, hashed as if it were: refused", () => {
    const edgeCase = brew({
      a: identityUnreduced,
      hashedA: identity,
      r: R.toBytes(),
      s: () => NONCE,
      fits: any,
    });
    expect(equationHolds(edgeCase, 1n, { a: identity })).toBe(true);
    expect(verifies(edgeCase)).toBe(false);
  });

  test("A and R of mixed order, the equation holding without the cofactor: accepted", () => {
    const edgeCase = brew({
      a: mixedA.toBytes(),
      r: R.add(torsion(3n)).toBytes(),
      s: sumS,
      fits: (h) => (h + 3n) % 8n === 0n,
    });
    expect(equationHolds(edgeCase, 1n)).toBe(true);
    expect(verifies(edgeCase)).toBe(true);
  });
});

describe("points", () => {
  test("none of the fourteen encodings of a point of small order is usable, as a key or as R", () => {
    const encodings = smallOrderEncodings();
    expect(new Set(encodings.map((bytes) => Buffer.from(bytes).toString("hex"))).size).toBe(14);
    for (const bytes of encodings) {
      expect(isUsablePoint(bytes)).toBe(false);
      expect(readPublicKey(bytes)).toBeUndefined();
    }
  });

  test("y is reduced: p - 2 may be usable, p + 2 and all above are not", () => {
    expect(isUsablePoint(bytesOfNumber(P - 2n))).toBe(true);
    for (const y of [P + 2n, 2n ** 255n - 1n, P + 2n + 2n ** 255n])
      expect(isUsablePoint(bytesOfNumber(y))).toBe(false);
  });

  test.each([0, 31, 33, 64])("%i bytes are not a point", (length) => {
    expect(isUsablePoint(new Uint8Array(length).fill(7))).toBe(false);
  });
});

describe("signatures", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const key = readPublicKey(raw);
  const text = "1795554000000GET/1.0/trades/all/BTC-USDé";

  test("one of the text, as UTF-8, is accepted; with any bit of it turned, it is not", () => {
    const signature = sign(null, Buffer.from(text, "utf8"), privateKey);
    expect(key && isSignatureOf(text, signature, key)).toBe(true);
    for (let bit = 0; bit < 512; bit += 1) {
      const turned = Buffer.from(signature);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(key && isSignatureOf(text, turned, key)).toBe(false);
    }
  });

  test.each([0, 63, 65, 128])("%i bytes are not a signature", (length) => {
    expect(key && isSignatureOf(text, new Uint8Array(length), key)).toBe(false);
  });

  test("a sound one is not sound any more with a byte too many or too few, whoever verifies it", () => {
    const signature = sign(null, Buffer.from(text, "utf8"), privateKey);
    expect(isSoundSignature(signature)).toBe(true);
    expect(isSoundSignature(Buffer.concat([signature, Buffer.alloc(1)]))).toBe(false);
    expect(isSoundSignature(signature.subarray(0, 63))).toBe(false);
  });

  test("the first vector of RFC 8032 is accepted", () => {
    const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    const pkcs8 = Buffer.from(`302e020100300506032b657004220420${seed}`, "hex");
    const signature = sign(
      null,
      Buffer.alloc(0),
      createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" }),
    );
    expect(signature.toString("hex")).toMatch(
      /^e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155/,
    );
    const known = readPublicKey(
      Buffer.from("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "hex"),
    );
    expect(known && isSignatureOf("", signature, known)).toBe(true);
  });
});
