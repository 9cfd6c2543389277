import { createHash, createPublicKey, sign, verify } from "node:crypto";
import { hashes, verify as verifyByNoble } from "@noble/ed25519";
import { isSignatureOf, readPublicKey } from "../lib/signature/ed25519.ts";
import { keyPairOf } from "../test/support/signing.ts";
import { type Figure, figureOfPairs, type Measurement } from "./figure.ts";
import { cpuOf, timePairs } from "./support/pairs.ts";

const SIGNED_TEXT = "1783616701644GET/1.0/trades/all/BTC-USDlimit=100&start_date=1783011901644";
const MICROSECONDS = 1_000;

export const signature: Measurement = {
  name: "signature",
  about:
    "One verification of a request's Ed25519 signature with a key in memory. Our byte checks and `node:crypto` are compared " +
    "with `node:crypto` alone, and with @noble/ed25519, whose SHA-512 is the platform's.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const { privateKey, publicKeyHex } = keyPairOf("bench");
  const publicKey = createPublicKey(privateKey);
  const raw = Buffer.from(publicKeyHex, "hex");
  const text = Buffer.from(SIGNED_TEXT);
  const signed = sign(null, text, privateKey);
  const ourKey = readPublicKey(raw);
  if (ourKey === undefined || !isSignatureOf(SIGNED_TEXT, signed, ourKey))
    throw new Error("The signature does not verify.");
  hashes.sha512 = (message) => createHash("sha512").update(message).digest();
  const ours = () => isSignatureOf(SIGNED_TEXT, signed, ourKey);
  const bare = () => verify(null, text, publicKey, signed);
  const noble = () => verifyByNoble(signed, text, raw);
  const against = async (peerName: string, peer: () => boolean, calls: number, ratioMax?: number) =>
    figureOfPairs(
      { what: "CPU a verification", unit: "µs", peerName, ratioMax },
      cpuOf(await timePairs({ ours, peer, pairs: 60, calls, warmUp: 200 }), MICROSECONDS),
    );
  return [await against("bare node:crypto", bare, 200, 1.15), await against("@noble/ed25519", noble, 25)];
}
