import { dataNames, type PrivateFileName } from "../../local/store/data-files.ts";
import { DerivedKeys, jwkOf, pemOf } from "./derived-keys.ts";
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
