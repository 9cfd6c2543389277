import * as z from "zod/mini";
import { accessToken } from "../../lib/auth/access-token.ts";
import { IssuerKeySet } from "../../lib/auth/key-set.ts";
import { LIFETIME_DAYS_MAX_DEFAULT } from "../../lib/auth/settings.ts";
import { systemClock } from "../../lib/clock.ts";
import { Failure } from "../../lib/errors.ts";
import { statusOf, statusOfSuccess } from "../../lib/http/error-response.ts";
import { requireScope } from "../../lib/principal.ts";
import { issuerKey, publishedKeys } from "../../local/identity/issuer.ts";
import { localIssuer, localTokenType } from "../../local/identity/local-identity.ts";
import { claimsOf, signLocalToken, type TokenHolder } from "../../local/identity/local-token.ts";
import { type PrivateJwk, readPrivateJwk } from "../../local/identity/private-jwk.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { defineCommand } from "../command.ts";
import { dataTake } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { holderOf, orderOf, tokenTakes } from "./token-options.ts";

/** How an interface answers a request whose only credential is a token. */
const answerShape = z.object({
  status: z.number(),
  /** Null where the token is accepted. */
  code: z.nullable(z.string()),
  /** Why the credentials are refused, in the words of the function's log, which callers do not see. */
  reason: z.nullable(z.string()),
});

type ExpectedAnswer = z.infer<typeof answerShape>;

/**
 * How the interface of a holder answers a token now, by the check that its functions make. A blocked subject is not looked
 * up, and neither are limits and switches.
 */
async function expectedAnswer(token: string, holder: TokenHolder, jwk: PrivateJwk): Promise<ExpectedAnswer> {
  const clock = systemClock;
  const { audience, scope } = claimsOf(holder);
  const authenticate = accessToken({
    issuer: localIssuer,
    audience,
    type: localTokenType,
    keys: new IssuerKeySet({
      url: new URL(localIssuer),
      clock,
      fetchText: () => Promise.resolve(publishedKeys(jwk)),
    }),
    credentials: { get: () => Promise.resolve(undefined) },
    clock,
    lifetimeDaysMax: LIFETIME_DAYS_MAX_DEFAULT,
  });
  try {
    requireScope(await authenticate(requestWith(token)), scope);
    return { status: statusOfSuccess.ok, code: null, reason: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, cause } = error;
    return { status: statusOf[code], code, reason: typeof cause === "string" ? cause : null };
  }
}

const requestWith = (token: string) => ({
  method: "GET",
  path: "",
  rawQuery: "",
  headers: { authorization: `Bearer ${token}` },
  pathParameters: {},
  hasBody: false,
  clientCertificate: undefined,
  gatewayRequestId: undefined,
});

function refuseStage(): never {
  throw new RangeError(
    "Tokens of a stage come from its identity provider, whose key nobody here has; this command signs with the key of this machine's issuer.",
  );
}

async function readIssuerKey(data: string): Promise<PrivateJwk> {
  const jwk = await readPrivateJwk(data, issuerKey);
  if (jwk !== undefined) return jwk;
  throw new OperatorError(
    `There is no token issuer in ${data}. Run \`${commands.start}\` once, or name its directory with --data.`,
  );
}

/** How the service answers, for people. */
function answerLine({ status, code, reason }: ExpectedAnswer): string {
  if (code === null) return "The service accepts this token, unless its subject is blocked.";
  if (reason === null) return `The service answers ${status} ${code}.`;
  return `The service answers ${status} ${code}. Why, as its log says: ${reason}.`;
}

/** `token`: prints an access token of the laptop's issuer, right or wrong as it is wanted. */
export const printLocalToken = defineCommand({
  words: "token",
  summary: "print an access token for any business or wallet, or one that is refused",
  about: `Signs an access token with the key of the laptop's token issuer, for any business or wallet service, known or not. Only the
token is printed on standard output; standard error says how the service answers it, and why. Without further options the
service accepts the token: the options after --expires make tokens that it refuses, each for another reason.

A business reads transactions (scope transactions.read), a wallet service reads passes (scope passes.read). A blocked
subject's token is refused as well: \`subjects block\`. A request without any token needs no command.

--damage: spelling (a character that no token has), encoding (a part that is not base64url), header or claims (no JSON
object), extension (a header that demands an extension).`,
  examples: [
    "ops token --business acme",
    'ops token --wallet --scope "passes.read templates.read" --expires 1h',
    'curl -H "Authorization: Bearer $(ops token --business acme --expired)" http://127.0.0.1:3000/transactions',
  ],
  exits: { 0: "printed", 2: "not printed: no holder is named, or there is no issuer's key" },
  on: "nothing",
  takes: {
    ...tokenTakes,
    "--data <directory>": dataTake(),
    "--stage <name>": { text: "", parse: refuseStage, isHidden: true },
  },
  json: {
    shape: z.object({
      token: z.string(),
      answer: answerShape,
    }),
    example: {
      token: "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhY21lIn0.c2lnbmF0dXJl",
      answer: { status: 401, code: "invalid_credentials", reason: "ERR_JWT_EXPIRED" },
    },
  },
  async run(given) {
    const [holder, order] = [holderOf(given), await orderOf(given)];
    const jwk = await readIssuerKey(given.data);
    const token = await signLocalToken(jwk, order, systemClock);
    const answer = await expectedAnswer(token, holder, jwk);
    if (!given.json) console.error(terminalText(answerLine(answer)));
    return { json: { token, answer }, text: token };
  },
});
