import { systemClock } from "../../lib/clock.ts";
import { localAudiences, localIssuer } from "../../local/identity/local-identity.ts";
import {
  claimsOf,
  type TokenClaims,
  type TokenDeviation,
  type TokenHolder,
  tokenAlgorithms,
  tokenDamages,
} from "../../local/identity/local-token.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { parseDuration } from "../arguments/parse-duration.ts";
import { parseExpiry } from "../arguments/parse-expiry.ts";
import { parseStoredOwner } from "../arguments/parse-owner-id.ts";
import { type GivenOf, takes } from "../command.ts";
import { readCertificateDigest } from "../credentials/read-certificate.ts";

const HOUR_S = 3_600;
/** The name of the wallet service that the demo and the operator's commands mean unless they are told otherwise. */
const WALLET_DEFAULT = "wallet";
const OTHER_ISSUER = `${localIssuer}.example`;

/** Seconds from now to the end of a token: a length of time such as `90s`, or what `parseExpiry` takes. */
function parseLife(text: string): number {
  if (/^\d+(?:s|m)$/.test(text)) return parseDuration(text) / 1_000;
  const now = systemClock();
  return Math.floor((parseExpiry(text, now) - now) / 1_000);
}

/** For whom a token is, and what is wrong with it. */
export const tokenTakes = takes({
  "--business <id>": { text: "the business that the token speaks for", parse: parseStoredOwner },
  "--wallet [id]": `the wallet service that the token speaks for (default: ${WALLET_DEFAULT})`,
  "--scope <words>": "the token's scope, words separated by a space",
  "--no-scope": "a token without any scope",
  "--expires <span>": {
    text: "when it ends, such as 90s, 1h, 30d or a date (default: 30d)",
    parse: parseLife,
  },
  "--expired": { text: "a token that ended an hour ago", conflicts: "expires" },
  "--not-yet-valid": "a token whose `nbf` is an hour ahead",
  "--issued-ahead": "a token whose `iat` is an hour ahead",
  "--audience <text>": "another `aud`",
  "--wrong-audience": { text: "the `aud` of the other interface", conflicts: "audience" },
  "--issuer <text>": "another `iss`",
  "--wrong-issuer": { text: "the `iss` of a stranger", conflicts: "issuer" },
  "--wrong-key": "a token that another key signed, under the name of the issuer's",
  "--alg <name>": {
    text: "the algorithm that signs: with another than ES256, no key verifies it",
    choices: tokenAlgorithms,
  },
  "--type <text>": "another `typ` in the header than at+jwt",
  "--bound-to <file>": "a token for holders of this client certificate alone, PEM",
  "--damage <how>": { text: "a token that is damaged in this way", choices: tokenDamages },
});

export type TokenOptions = GivenOf<typeof tokenTakes>;

/** The one holder that the options name. @throws {OperatorError} for none, and for two. */
export function holderOf({ business, wallet }: TokenOptions): TokenHolder {
  if (business !== undefined && wallet === undefined) return { business };
  if (wallet !== undefined && business === undefined)
    return { wallet: wallet === true ? WALLET_DEFAULT : wallet };
  throw new OperatorError("Say for whom the token is: --business ID or --wallet, and not both.");
}

/** What to sign, as the options say. @throws {OperatorError} when a certificate cannot be read. */
export async function orderOf(options: TokenOptions): Promise<TokenClaims & TokenDeviation> {
  const { scope, expires, type, alg, damage, boundTo } = options;
  const own = claimsOf(holderOf(options));
  const { business, passes } = localAudiences;
  const audience = options.wrongAudience ? (own.audience === passes ? business : passes) : options.audience;
  const issuer = options.wrongIssuer ? OTHER_ISSUER : options.issuer;
  return {
    ...own,
    ...(scope !== undefined && { scope: scope === false ? "" : scope }),
    ...(expires !== undefined && { lifeS: expires }),
    ...(options.expired && { lifeS: -HOUR_S, issuedInS: -2 * HOUR_S }),
    ...(options.notYetValid && { notBeforeS: HOUR_S }),
    ...(options.issuedAhead && { issuedInS: HOUR_S }),
    ...(audience !== undefined && { audience }),
    ...(issuer !== undefined && { issuer }),
    ...(options.wrongKey && { isOfOtherKey: true }),
    ...(alg !== undefined && { algorithm: alg }),
    ...(type !== undefined && { type }),
    ...(boundTo !== undefined && { boundTo: await readCertificateDigest(boundTo) }),
    ...(damage !== undefined && { damage }),
  };
}
