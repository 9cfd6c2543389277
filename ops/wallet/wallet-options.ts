import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { optionOf } from "../store/store-options.ts";
import { TIMEOUT_MS } from "./http-exchange.ts";
import { readSigningKey } from "./read-signing-key.ts";
import { readTls } from "./read-tls.ts";
import { waitInSlices } from "./wait-in-slices.ts";
import { Wallet, type WalletCredentials, type WalletOptions } from "./wallet.ts";

const SECONDS_MAX = 86_400;

/** A number of seconds up to a day. @throws {RangeError} with a message for the operator. */
export function parseSeconds(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= SECONDS_MAX) return seconds;
  throw new RangeError(`It must be a number from 1 to ${SECONDS_MAX}.`);
}

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

/** The options that say which server is called, and with which credentials. Secrets come only from files. */
export interface WalletCommandOptions {
  readonly reference: string;
  readonly tokenFile?: string;
  readonly jwsKey?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
  /** Seconds that the server may take for one request. */
  readonly timeout: number;
  readonly contractVersion: string;
  readonly versionHeader: string;
}

/** Explains the credentials in the help of each command that takes them. */
export const CREDENTIALS_HELP = `
Give one or more of the credentials that the server accepts. They are read from files, so that none stands on the command
line; --token-file - reads the token from standard input. --jws-key is a private JWK. --ca is the authority of the
server's certificate, trusted in place of the system's own.`;

/** Adds the options of {@link WalletCommandOptions} to a command. */
export function addWalletOptions(command: Command): Command {
  return command
    .argument("<url>", "the address before /passes/{partner_reference}, such as https://partner.example/api")
    .requiredOption("--reference <reference>", "a pass that the server has", optionOf(parseReference))
    .option("--token-file <file>", "an access token with the scope; - for standard input")
    .option("--jws-key <file>", "the key that requests are signed with")
    .option("--cert <file>", "the client certificate, PEM")
    .option("--key <file>", "the certificate's private key, PEM")
    .option("--ca <file>", "the authority of the server's certificate, PEM")
    .option(
      "--timeout <seconds>",
      "how long the server may take for one request",
      optionOf(parseSeconds),
      TIMEOUT_MS / 1000,
    )
    .option(
      "--contract-version <date>",
      "the contract version to call with",
      String(passContractVersions.at(-1)),
    )
    .option(
      "--version-header <name>",
      "the header that carries the contract version",
      optionOf(parseHeaderName),
      contractBrand.versionHeader,
    );
}

/**
 * A client for the server that the options name. An aborted signal ends its waits and the running request at once.
 *
 * @throws {OperatorError} for an address or a file that cannot be used.
 */
export async function walletOf(
  url: string,
  options: WalletCommandOptions,
  signal?: AbortSignal,
  more: Pick<WalletOptions, "waitBudgetMs"> = {},
): Promise<Wallet> {
  return new Wallet({
    baseUrl: readUrl(url, options.reference),
    credentials: await readCredentials(options),
    version: checkVersion(options.contractVersion),
    versionHeader: options.versionHeader,
    clock: systemClock,
    wait: (ms) => waitInSlices(ms, (sliceMs) => waitUnless(signal, sliceMs), signal),
    timeoutMs: options.timeout * 1000,
    ...(signal !== undefined && { signal }),
    ...more,
  });
}

/** Resolves after a time, or as soon as the signal is aborted. */
async function waitUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
  await setTimeout(ms, undefined, signal && { signal }).catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
  });
}

function readUrl(text: string, reference: string): URL {
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

async function readCredentials(options: WalletCommandOptions): Promise<WalletCredentials> {
  const { tokenFile, jwsKey } = options;
  const token = tokenFile === undefined ? undefined : await readToken(tokenFile);
  const signingKey = jwsKey === undefined ? undefined : await readSigningKey(jwsKey);
  return {
    ...(token !== undefined && { token }),
    ...(signingKey !== undefined && { signingKey }),
    tls: await readTls(options),
  };
}

/** The one token in a file. @throws {OperatorError} */
export async function readToken(file: string): Promise<string> {
  const token = (await readGiven(file)).trim();
  if (/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) return token;
  throw new OperatorError(`${nameOfGiven(file)} must hold one token and nothing else.`);
}
