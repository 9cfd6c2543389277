import { isApiKey } from "../../lib/auth/credential.ts";
import { isExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { printable } from "../../lib/printable.ts";

/** Three parts of a token with dots between them; the middle one is empty in a detached JWS. */
const TOKEN = /^[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8,}$/;
/** Names of parameters whose value is a credential, in whatever form. */
const SECRET_NAME = /token|secret|password|signature|api[-_]?key|authorization/i;
const HIDDEN = "(not shown)";
const LENGTH_MAX = 200;

/**
 * A path and a query as they were asked, for the log. What has the form of a credential is left out, because it was put
 * there by mistake.
 */
export function shownTarget(sentTarget: string): string {
  const [path = "", ...query] = sentTarget.split("?");
  const segments = path.split("/").map(shownWord).join("/");
  const pairs = query.join("?").split("&").map(shownPair).join("&");
  const shown = printable(query.length === 0 ? segments : `${segments}?${pairs}`);
  return shown.length > LENGTH_MAX ? `${shown.slice(0, LENGTH_MAX)}…` : shown;
}

/** Whether a text has the form of a credential of any interface. */
export const isCredential = (text: string): boolean =>
  isApiKey(text) || isExchangeApiKey(text) || TOKEN.test(text);

const shownWord = (word: string): string => (isCredential(word) ? HIDDEN : word);

function shownPair(pair: string): string {
  const [name = "", ...rest] = pair.split("=");
  if (rest.length === 0) return shownWord(name);
  const value = rest.join("=");
  return `${shownWord(name)}=${SECRET_NAME.test(name) && value !== "" ? HIDDEN : shownWord(value)}`;
}
