import { type PrivateKey, type Sign, signerOf } from "../../../client/src/ed25519.ts";
import { signedHeaders } from "../../../client/src/signed-request.ts";

/** A trading client's key. */
export interface TradesKey {
  readonly apiKey: string;
  /** What the names of the three headers begin with. */
  readonly headerPrefix: string;
  /** Ed25519: the session has it as a JWK. */
  readonly privateKey: PrivateKey;
}

/** A GET of the exchange that is signed. */
interface SignedTrades {
  /** The text under the signature, read from the bytes that were signed. */
  readonly text: string;
  /** The three headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs a GET of the exchange. `now` is the instant that its timestamp carries, in Unix epoch milliseconds. */
export type SignTrades = (url: URL, now: number) => Promise<SignedTrades>;

/**
 * A signer with a trading client's key. It works on pages without WebCrypto too, which plain HTTP on a host other than
 * localhost gives.
 *
 * @throws {TypeError} for what is not a private Ed25519 key.
 */
export function tradesSigner({ apiKey, headerPrefix, privateKey }: TradesKey): SignTrades {
  const sign = signerOf(privateKey);
  return async (url, now) => {
    let text = "";
    const watched: Sign = (bytes) => {
      text = new TextDecoder().decode(bytes);
      return sign(bytes);
    };
    const headers = await signedHeaders(url, { apiKey, sign: watched, headerPrefix }, now);
    return { text, headers };
  };
}
