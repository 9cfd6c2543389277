import { type Command, Option } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { localAudiences, localIssuer } from "../../local/identity/local-identity.ts";
import {
  claimsOf,
  type TokenAlgorithm,
  type TokenClaims,
  type TokenDamage,
  type TokenDeviation,
  type TokenHolder,
  tokenAlgorithms,
  tokenDamages,
} from "../../local/identity/local-token.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { parseDuration } from "../arguments/parse-duration.ts";
import { parseExpiry } from "../arguments/parse-expiry.ts";
import { parseStoredOwner } from "../arguments/parse-owner-id.ts";
import { readCertificateDigest } from "../credentials/read-certificate.ts";
import { optionOf } from "../store/store-options.ts";

/** For whom a token is, and what is wrong with it. */
export interface TokenOptions {
  readonly business?: string;
  /** True without a name. */
  readonly wallet?: string | true;
  /** False for none. */
  readonly scope?: string | false;
  /** Seconds from now. */
  readonly expires?: number;
  readonly expired?: true;
  readonly notYetValid?: true;
  readonly issuedAhead?: true;
  readonly audience?: string;
  readonly wrongAudience?: true;
  readonly issuer?: string;
  readonly wrongIssuer?: true;
  readonly wrongKey?: true;
  readonly alg?: TokenAlgorithm;
  readonly type?: string;
  readonly boundTo?: string;
  readonly damage?: TokenDamage;
}

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

/** Adds the options of {@link TokenOptions} to a command. */
export const addTokenOptions = (command: Command): Command =>
  command
    .option("--business <id>", "the business that the token speaks for", optionOf(parseStoredOwner))
    .option("--wallet [id]", `the wallet service that the token speaks for (default: ${WALLET_DEFAULT})`)
    .option("--scope <words>", "the token's scope, words separated by a space")
    .option("--no-scope", "a token without any scope")
    .option(
      "--expires <span>",
      "when it ends, such as 90s, 1h, 30d or a date (default: 30d)",
      optionOf(parseLife),
    )
    .addOption(new Option("--expired", "a token that ended an hour ago").conflicts("expires"))
    .option("--not-yet-valid", "a token whose `nbf` is an hour ahead")
    .option("--issued-ahead", "a token whose `iat` is an hour ahead")
    .option("--audience <text>", "another `aud`")
    .addOption(new Option("--wrong-audience", "the `aud` of the other interface").conflicts("audience"))
    .option("--issuer <text>", "another `iss`")
    .addOption(new Option("--wrong-issuer", "the `iss` of a stranger").conflicts("issuer"))
    .option("--wrong-key", "a token that another key signed, under the name of the issuer's")
    .addOption(
      new Option(
        "--alg <name>",
        "the algorithm that signs: with another than ES256, no key verifies it",
      ).choices(tokenAlgorithms),
    )
    .option("--type <text>", "another `typ` in the header than at+jwt")
    .option("--bound-to <file>", "a token for holders of this client certificate alone, PEM")
    .addOption(new Option("--damage <how>", "a token that is damaged in this way").choices(tokenDamages));

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
