import { ambiguityOf } from "../../lib/signature/canonical-request.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { partsOfUrl } from "../../local/signing/sign-request.ts";

const EXAMPLE = "such as https://api.example.com/1.0/trades/all/BTC-USD?limit=10";

/**
 * Requires an address that a client can call: http or https, with a host, and only of characters that can be sent as
 * they are. Its path and query are left to the server to judge.
 *
 * @throws {OperatorError} that says what to do.
 */
export function requireUrl(url: string): string {
  const bad = /[^!-~]/.exec(url)?.[0];
  if (bad !== undefined) {
    const what = bad === " " ? "a space" : "a character that is not visible ASCII";
    throw new OperatorError(`The URL has ${what} in it. Percent-encode it, as it is sent.`);
  }
  if (!/^https?:\/\/[^/?#]/i.test(url) || URL.parse(url) === null)
    throw new OperatorError(`The URL must begin with http:// or https:// and a host, ${EXAMPLE}.`);
  return url;
}

/**
 * Requires an address as {@link requireUrl} does, and one that the server does not refuse whatever the signature.
 *
 * @throws {OperatorError} that says what to do.
 */
export function requireSignableUrl(url: string): string {
  const ambiguity = ambiguityOf(partsOfUrl("GET", requireUrl(url), ""), false);
  if (ambiguity === undefined) return url;
  throw new OperatorError(`The server refuses this URL whatever the signature: it has ${ambiguity}.`);
}
