import { createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";
import { namedJwk, type PrivateJwk } from "../../local/identity/private-jwk.ts";
import { dataNames, type PrivateFileName } from "../../local/store/data-files.ts";
import type { HouseAuthority } from "./house-authority.ts";

const RAMP_KEY_BYTES = 32;
const EXCHANGE_KEY_SYMBOLS = 64;

/**
 * The private files of a world, as an earlier start would have left them in a data directory: with keys and API keys that
 * follow from the seed and the world's name. The certificate of its client has such a key too, and a new signature.
 */
export async function worldFiles(
  seed: string,
  world: string,
  authority: HouseAuthority,
): Promise<Map<PrivateFileName, string>> {
  const keys = new DerivedKeys(seed, world);
  const issuerKey = await jwkOf(keys.p256("issuer"), "ES256");
  const passKey = await jwkOf(keys.ed25519("pass signatures"), "EdDSA");
  return new Map([
    ...authority.files,
    ...(await authority.issueClient(pemOf(keys.p256("pass client")))),
    [dataNames.issuerKey, JSON.stringify(issuerKey)],
    [dataNames.passKey, JSON.stringify(passKey)],
    [dataNames.exchangePrivateKey, pemOf(keys.ed25519("exchange"))],
    [dataNames.demo, JSON.stringify(apiKeysOf(keys))],
  ]);
}

/** The sections of `demo.json` that are kept from start to start, as far as they hold API keys. */
function apiKeysOf(keys: DerivedKeys): object {
  const rampKey = (purpose: string) => keys.bytes(purpose, RAMP_KEY_BYTES).toString("base64url");
  const exchangeKey = (purpose: string) => keys.symbols(purpose, EXCHANGE_KEY_SYMBOLS);
  return {
    ramp: { apiKey: rampKey("partner"), otherApiKey: rampKey("other partner") },
    exchange: {
      apiKey: exchangeKey("trading client"),
      noScopeApiKey: exchangeKey("trading client without scope"),
    },
  };
}

/** The order of P-256's group (FIPS 186-5). */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 128 bits more than the order has, so that the remainder is even (FIPS 186-5, appendix A.2.1). */
const P256_BYTES = 48;
const FIELD_BYTES = 32;
/** What stands before the 32 bytes of a key: of Ed25519 (PKCS #8, RFC 8410), and of P-256 (RFC 5915), whose curve follows. */
const ED25519_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const P256_PREFIX = Buffer.from("30310201010420", "hex");
const P256_CURVE = Buffer.from("a00a06082a8648ce3d030107", "hex");
const SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Keys that follow from a seed and the name of a world (HKDF, RFC 5869), each for one purpose. The same seed, name and
 * purpose make the same key. A seed is not secret, so such keys are for tests alone.
 */
export class DerivedKeys {
  /** Seed and name in a form that no other pair has. As HKDF's salt, a name would be the same with zero bytes after it. */
  readonly #material: string;

  constructor(seed: string, world: string) {
    this.#material = JSON.stringify([seed, world]);
  }

  bytes(purpose: string, length: number): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#material, "", purpose, length));
  }

  /** Letters and digits, as API keys of the exchange have them. */
  symbols(purpose: string, length: number): string {
    return Array.from(this.bytes(purpose, length), (byte) => SYMBOLS.charAt(byte % SYMBOLS.length)).join("");
  }

  ed25519(purpose: string): KeyObject {
    const der = Buffer.concat([ED25519_PREFIX, this.bytes(purpose, FIELD_BYTES)]);
    return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  }

  p256(purpose: string): KeyObject {
    const drawn = BigInt(`0x${this.bytes(purpose, P256_BYTES).toString("hex")}`);
    const scalar = (drawn % (P256_ORDER - 1n)) + 1n;
    const d = Buffer.from(scalar.toString(16).padStart(2 * FIELD_BYTES, "0"), "hex");
    const der = Buffer.concat([P256_PREFIX, d, P256_CURVE]);
    const bare = createPrivateKey({ key: der, format: "der", type: "sec1" });
    // With its public half, which a PEM file has then, too.
    return createPrivateKey({ key: bare.export({ format: "jwk" }), format: "jwk" });
  }
}

/** A key as the issuer and the wallet keep theirs. */
export const jwkOf = (key: KeyObject, algorithm: PrivateJwk["alg"]): Promise<PrivateJwk> =>
  namedJwk(key.export({ format: "jwk" }), algorithm);

/** A key as PEM (PKCS #8). */
export const pemOf = (key: KeyObject): string => String(key.export({ type: "pkcs8", format: "pem" }));
