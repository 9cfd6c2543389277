import type { Interface } from "./channel.ts";
import { defaultHeaderPrefix } from "./contract.ts";
import { type PrivateKey, type Sign, signerOf } from "./ed25519.ts";
import type { AccessToken, BusinessOptions, ExchangeOptions, PassesOptions, RampOptions } from "./options.ts";
import { type Platform, randomId } from "./platform.ts";
import { aFunction, aHeaderName, aHeaderValue, anObject, aText, holdTo, needed, type Rule } from "./rules.ts";
import type { Credentials } from "./sendable.ts";
import { detachedJws, signedHeaders } from "./signed-request.ts";

const aToken: Rule = {
  words: "text, or a function that gives it",
  isKept: (value) => aText.isKept(value) || aFunction.isKept(value),
};

/** How the business interface is called. */
export function businessInterface(options: BusinessOptions): Interface {
  holdTo({ accessToken: needed(aToken) }, options, "business");
  return { retryAfterUnit: "seconds", credentials: () => bearer(options.accessToken) };
}

/** How the ramp is called. */
export function rampInterface(options: RampOptions): Interface {
  holdTo({ apiKey: needed(aText) }, options, "ramp");
  const { apiKey } = options;
  return {
    retryAfterUnit: "seconds",
    credentials: async () => ({ headers: { "X-API-KEY": apiKey }, secrets: [apiKey] }),
  };
}

/** How the exchange is called: its contract counts `Retry-After` in milliseconds. */
export function exchangeInterface(options: ExchangeOptions, { now }: Platform): Interface {
  holdTo({ apiKey: needed(aText), headerPrefix: aHeaderName, sign: aFunction }, options, "exchange");
  const { apiKey, headerPrefix = defaultHeaderPrefix } = options;
  const given: { readonly privateKey?: PrivateKey; readonly sign?: Sign } = options;
  const sign = given.sign ?? signerOf(given.privateKey);
  return {
    retryAfterUnit: "milliseconds",
    credentials: async (url) => {
      const headers = await signedHeaders(url, { apiKey, sign, headerPrefix }, now());
      return { headers, secrets: [apiKey, headers[`${headerPrefix}Signature`] ?? ""] };
    },
  };
}

const passesRules = {
  accessToken: aToken,
  jws: anObject,
  signJws: aFunction,
  serviceApiVersion: aHeaderValue,
  versionHeader: aHeaderName,
} as const;

/** How passes are asked for, by every credential that was given. */
export function passesInterface(options: PassesOptions, { now }: Platform): Interface {
  holdTo(passesRules, options, "passes");
  const { accessToken } = options;
  const sign = jwsSigner(options, now);
  return {
    retryAfterUnit: "seconds",
    credentials: async (url) => {
      const { headers, secrets } = accessToken === undefined ? NONE : await bearer(accessToken);
      if (sign === undefined) return { headers, secrets };
      const signed = await sign({ method: "GET", url });
      return { headers: { ...headers, "Jws-Signature": signed }, secrets: [...secrets, signed] };
    },
  };
}

const NONE: Credentials = { headers: {}, secrets: [] };

function jwsSigner({ jws, signJws }: PassesOptions, now: Platform["now"]): PassesOptions["signJws"] {
  if (jws === undefined) return signJws;
  holdTo({ kid: needed(aText) }, jws, "passes.jws");
  const sign = signerOf(jws, "passes.jws");
  return ({ url }) => detachedJws(url, { kid: jws.kid, sign }, { now: now(), jti: randomId() });
}

async function bearer(accessToken: AccessToken): Promise<Credentials> {
  const token = typeof accessToken === "string" ? accessToken : await accessToken();
  if (typeof token !== "string") throw new TypeError("accessToken: the function gives no text.");
  return { headers: { Authorization: `Bearer ${token}` }, secrets: [token] };
}
