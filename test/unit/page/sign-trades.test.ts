import { generateKeyPairSync, verify } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { signedText } from "../../../lib/signature/canonical-request.ts";
import { partsOfUrl } from "../../../local/signing/sign-request.ts";
import { tradesSigner } from "../../../page/src/api/sign-trades.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const jwk = privateKey.export({ format: "jwk" }) as { kty: "OKP"; crv: "Ed25519"; d: string };
const sign = tradesSigner({ apiKey: "K", headerPrefix: "X-Own-", privateKey: jwk });

test("the vector of docs/signing.md is signed as it is printed there", async () => {
  const d = Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString("base64url");
  const known = tradesSigner({
    apiKey: "K",
    headerPrefix: "X-Own-",
    privateKey: { kty: "OKP", crv: "Ed25519", d },
  });
  const query = "limit=10&start_date=1795467600000&end_date=1795554000000";
  const signed = await known(new URL(`http://127.0.0.1/1.0/trades/all/BTC-USD?${query}`), 1_795_554_000_000);
  expect(signed).toEqual({
    text: `1795554000000GET/1.0/trades/all/BTC-USD${query}`,
    headers: {
      "X-Own-API-Key": "K",
      "X-Own-Timestamp": "1795554000000",
      "X-Own-Signature":
        "xCGI6sn1DJNrUngOXEK06ocrMrAqoTFCuMFwGfy6XfA+HZ0qPVcirx3q+XIiAKZKgrEybXJRGUbrOSsJyv4XAg==",
    },
  });
});

test("the text that is shown is the one that the service verifies, whatever the address and the instant", async () => {
  const symbols = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((text) => !/^\.+$/.test(text));
  const cursors = fc.string({ unit: "grapheme", maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(symbols, cursors, fc.nat(2 ** 41), async (symbol, cursor, now) => {
      const url = new URL(`http://127.0.0.1/base/1.0/trades/all/${encodeURIComponent(symbol)}`);
      url.searchParams.set("cursor", cursor);
      const { text, headers } = await sign(url, now);
      expect(text).toBe(signedText(partsOfUrl("GET", url.href, String(now))));
      expect(headers["X-Own-Timestamp"]).toBe(String(now));
      const signature = Buffer.from(headers["X-Own-Signature"] ?? "", "base64");
      expect(verify(null, Buffer.from(text), publicKey, signature)).toBe(true);
    }),
  );
});

test("two requests at the same time keep a text each", async () => {
  const addresses = ["a", "b"].map((name) => new URL(`http://127.0.0.1/1.0/trades/all/${name}`));
  const [first, second] = await Promise.all(addresses.map((url) => sign(url, 1)));
  expect([first?.text, second?.text]).toEqual(["1GET/1.0/trades/all/a", "1GET/1.0/trades/all/b"]);
});

test("a key of another kind is refused, and its text is not shown", () => {
  const secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQ";
  const foreign = { apiKey: "K", headerPrefix: "X-", privateKey: { kty: "OKP", crv: "X25519", d: secret } };
  expect(() => tradesSigner(foreign)).toThrow(TypeError);
  expect(() => tradesSigner(foreign)).not.toThrow(secret);
});
