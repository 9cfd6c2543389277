import type { Interface } from "./channel.ts";
import { defaultHeaderPrefix } from "./contract.ts";
import { signerOf } from "./ed25519.ts";
import type { AccessToken, BusinessOptions, ExchangeOptions, PassesOptions, RampOptions } from "./options.ts";
import { type Platform, randomId } from "./platform.ts";
import type { Credentials } from "./sendable.ts";
import { detachedJws, signedHeaders } from "./signed-request.ts";

/** How the business interface is called. */
export const businessInterface = ({ accessToken }: BusinessOptions): Interface => ({
  retryAfterUnit: "seconds",
  credentials: () => bearer(accessToken),
});

/** How the ramp is called. */
export const rampInterface = ({ apiKey }: RampOptions): Interface => ({
  retryAfterUnit: "seconds",
  credentials: async () => ({ headers: { "X-API-KEY": apiKey }, secrets: [apiKey] }),
});

/** How the exchange is called: its contract counts `Retry-After` in milliseconds. */
export function exchangeInterface(options: ExchangeOptions, { now }: Platform): Interface {
  const { apiKey, headerPrefix = defaultHeaderPrefix } = options;
  const sign = "sign" in options ? options.sign : signerOf(options.privateKey);
  return {
    retryAfterUnit: "milliseconds",
    credentials: async (url) => ({
      headers: await signedHeaders(url, { apiKey, sign, headerPrefix }, now()),
      secrets: [apiKey],
    }),
  };
}

/** How passes are asked for, by every credential that was given. */
export function passesInterface({ accessToken, jws, signJws }: PassesOptions, { now }: Platform): Interface {
  const sign = jws === undefined ? undefined : signerOf(jws);
  return {
    retryAfterUnit: "seconds",
    credentials: async (url) => {
      const token = accessToken === undefined ? undefined : await bearer(accessToken);
      const signed =
        jws !== undefined && sign !== undefined
          ? await detachedJws(url, { kid: jws.kid, sign }, { now: now(), jti: randomId() })
          : await signJws?.({ method: "GET", url });
      return {
        headers: { ...token?.headers, ...(signed !== undefined && { "Jws-Signature": signed }) },
        secrets: token?.secrets ?? [],
      };
    },
  };
}

async function bearer(accessToken: AccessToken): Promise<Credentials> {
  const token = typeof accessToken === "string" ? accessToken : await accessToken();
  return { headers: { Authorization: `Bearer ${token}` }, secrets: [token] };
}
