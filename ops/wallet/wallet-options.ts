import { setTimeout } from "node:timers/promises";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { wholeNumber } from "../arguments/parse-count.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { type GivenOf, takes } from "../command.ts";
import { TIMEOUT_MS } from "./http-exchange.ts";
import { readSigningKey } from "./jws-signer.ts";
import { readTls } from "./read-tls.ts";
import { Wallet, type WalletCredentials, type WalletOptions } from "./wallet.ts";

/** A number of seconds up to a day. */
export const parseSeconds = wholeNumber(1, 86_400);

/** A reference that can be a segment of a path. @throws {RangeError} with a message for the operator. */
export function parseReference(text: string): string {
  // Every client removes . and .. from a path (RFC 3986 5.2.4).
  if (text !== "" && text !== "." && text !== "..") return text;
  throw new RangeError("It must name a pass: an empty text, . and .. do not.");
}

/** Checked here and not by commander, whose message would quote a line break and no longer be one line. */
function checkVersion(text: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(text)) return text;
  throw new OperatorError("--contract-version must be 1 to 128 visible ASCII characters, as in 2026-07-01.");
}

function parseHeaderName(text: string): string {
  if (/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(text)) return text;
  throw new RangeError("It must be the name of a header.");
}

/** Explains the credentials in the help of each command that takes them. */
export const CREDENTIALS_HELP = `
Give one or more of the credentials that the server accepts. They are read from files, so that none stands on the command
line; --token-file - reads the token from standard input. --jws-key is a private JWK. --ca is the authority of the
server's certificate, trusted in place of the system's own.`;

/** Which server is called, and with which credentials. Secrets come only from files. */
export const walletTakes = takes({
  "<url>": "the address before /passes/{partner_reference}, such as https://partner.example/api",
  "--reference <reference>": { text: "a pass that the server has", parse: parseReference, required: true },
  "--token-file <file>": "an access token with the scope; - for standard input",
  "--jws-key <file>": "the key that requests are signed with",
  "--cert <file>": "the client certificate, PEM",
  "--key <file>": "the certificate's private key, PEM",
  "--ca <file>": "the authority of the server's certificate, PEM",
  "--timeout <seconds>": {
    text: "how long the server may take for one request",
    parse: parseSeconds,
    default: String(TIMEOUT_MS / 1000),
  },
  "--contract-version <date>": {
    text: "the contract version to call with",
    default: String(passContractVersions.at(-1)),
  },
  "--version-header <name>": {
    text: "the header that carries the contract version",
    parse: parseHeaderName,
    default: contractBrand.versionHeader,
  },
});
export type WalletGiven = GivenOf<typeof walletTakes>;

/**
 * A client for the server that the options name. An aborted signal ends its waits and the running request at once.
 *
 * @throws {OperatorError} for an address or a file that cannot be used.
 */
export async function walletOf(
  options: WalletGiven,
  signal: AbortSignal,
  more: Pick<WalletOptions, "waitBudgetMs"> = {},
): Promise<Wallet> {
  return new Wallet({
    baseUrl: requireServer(options),
    credentials: await readCredentials(options),
    version: checkVersion(options.contractVersion),
    versionHeader: options.versionHeader,
    clock: systemClock,
    wait: (ms) => setTimeout(ms, undefined, { signal }).catch(() => {}),
    timeoutMs: options.timeout * 1000,
    signal,
    ...more,
  });
}

/** The address of a pass endpoint. @throws {OperatorError} for one that cannot be meant. */
export function requireServer({ url: text, reference }: Pick<WalletGiven, "url" | "reference">): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new OperatorError(
      `"${text}" is not the address of a server: give one such as https://partner.example/api.`,
    );
  const surplus = /\/passes(?:\/([^/]*))?$/.exec(url.pathname);
  // Another segment there may be part of the address, as in /passes/v1.
  if (surplus !== null && ["", reference].includes(decoded(surplus[1] ?? "")))
    throw new OperatorError(`Leave ${surplus[0]} out of "${text}": the command adds it.`);
  return url;
}

/** A segment of a path without its percent-encoding; unchanged where it cannot be decoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const readCredentials = async ({ tokenFile, jwsKey, ...tls }: WalletGiven): Promise<WalletCredentials> => ({
  ...(tokenFile !== undefined && { token: await readToken(tokenFile) }),
  ...(jwsKey !== undefined && { signingKey: await readSigningKey(jwsKey) }),
  tls: await readTls(tls),
});

/** The one token in a file. @throws {OperatorError} */
export async function readToken(file: string): Promise<string> {
  const token = (await readGiven(file)).trim();
  if (/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) return token;
  throw new OperatorError(`${nameOfGiven(file)} must hold one token and nothing else.`);
}
