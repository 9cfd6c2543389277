import { ambiguityOf } from "../../lib/signature/canonical-request.ts";
import { partsOfUrl } from "../../lib/signature/sign-request.ts";
import { OperatorError } from "../terminal/operator-error.ts";

const EXAMPLE = "such as https://api.example.com/1.0/trades/all/BTC-USD?limit=10";

/**
 * An address as a client can call it: http or https, with a host, and with nothing in it that cannot be sent as it is.
 * What its path and query must be is the server's to say.
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
 * The same for a request that is to be signed: one that is refused whatever its signature is not.
 *
 * @throws {OperatorError} that says what to do.
 */
export function requireSignableUrl(url: string): string {
  const ambiguity = ambiguityOf(partsOfUrl("GET", requireUrl(url), ""), false);
  if (ambiguity === undefined) return url;
  throw new OperatorError(`The server refuses this URL whatever the signature: it has ${ambiguity}.`);
}
