import type { ErrorCode } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { readableTarget } from "../gateway/exchange.ts";
import { readQuery } from "../gateway/request-target.ts";
import { shownTarget } from "../http/shown-target.ts";
import { commands } from "../installation.ts";
import {
  credentialHeaders,
  errorBodyOf,
  type Hint,
  missingHeaders,
  type RequestSeen,
} from "./request-seen.ts";

const REFUSED: ErrorCode = "invalid_credentials";

/** Says after a 401 which header is missing, or which command tells or replaces what was wrong. */
export const refusalHints: Hint = (seen) => {
  const { exchange, contract, brand } = seen;
  const error = errorBodyOf(exchange.response);
  if (contract === undefined || error?.code !== REFUSED) return [];
  const missing = missingHeaders(credentialHeaders(contract, brand), exchange.headers);
  if (missing.length > 0 && !hasOtherCredential(seen))
    return [`The request lacks the header${missing.length > 1 ? "s" : ""} ${missing.join(", ")}.`];
  const { credentialsIn } = seen;
  if (credentialsIn !== undefined) return [`The credentials that are valid here are in ${credentialsIn}.`];
  return [REMEDIES[contract.scheme](seen, error.timestamp)];
};

/** Whether a request carries a credential that an endpoint takes in place of a token (decision 16). */
const hasOtherCredential = ({ exchange: { headers, clientCert } }: RequestSeen): boolean =>
  "jws-signature" in headers || clientCert !== undefined;

const REMEDIES: Readonly<
  Record<EndpointContract["scheme"], (seen: RequestSeen, answeredAtMs: number) => string>
> = {
  Signature: explainCommand,
  Bearer: ({ dataNote }) =>
    `To see requests whose credentials are valid here, run${dataNote}: ${commands.quietOps} demo curl (demo.json of the data directory has the credentials).`,
  ApiKey: ({ dataNote }) =>
    `To see the keys that are in force, run${dataNote}: ${commands.quietOps} keys list`,
};

/** The values of the headers are left out: the caller has them, and a signature is a credential while it is fresh. */
function explainCommand(seen: RequestSeen, answeredAtMs: number): string {
  const names = credentialHeaders({ scheme: "Signature" }, seen.brand);
  const headers = names.map((name) => `-H '${name}: ...'`).join(" ");
  const url = signedUrl(seen);
  return `To learn what was wrong with the signature, run${seen.dataNote}: ${commands.quietOps} sign ${seen.exchange.method} ${url} --explain ${headers} --judged-at ${answeredAtMs}`;
}

const URL_MAX = 200;
/** Characters that stand for themselves between single quotes, in every shell. */
const PLAIN = /^[\x21\x23-\x26\x28-\x7e]+$/;

/** The URL of a signed request for the command line; a placeholder where the URL is long or may have a credential in it. */
function signedUrl({ exchange, contract }: RequestSeen): string {
  const known = Object.keys(contract?.query.shape ?? {});
  const names = Object.keys(readQuery(readableTarget(exchange)?.rawQuery ?? "") ?? {});
  const { sentTarget } = exchange;
  const url = `http://${exchange.headers.host ?? ""}${sentTarget}`;
  const isExpected = names.every((name) => known.includes(name)) && shownTarget(sentTarget) === sentTarget;
  const isShown = isExpected && PLAIN.test(url) && url.length <= URL_MAX;
  return isShown ? `'${url}'` : "URL";
}
