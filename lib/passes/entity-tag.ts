import { createHash } from "node:crypto";

/**
 * The strong entity tag of a served body (RFC 9110 8.8.3). It depends on the body and the contract version alone, so
 * equal answers have equal tags, and attributes that are stored beside the body cannot change a tag.
 */
export function entityTag(version: string, body: string): string {
  const digest = createHash("sha256").update(`${version}\n${body}`).digest("base64url");
  return `"${digest}"`;
}

/**
 * One element of the list, with the comma or end after it. Empty elements are accepted (RFC 9110 5.6.1) and `W` is an
 * upper-case letter. Any visible character but a quote may stand within the quotes, a comma too (8.8.3).
 */
const ELEMENT = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\u0080-\uffff]*")[ \t]*)?(,|$)/y;

const ANY = /^[ \t]*\*[ \t]*$/;

/**
 * Whether an `If-None-Match` header names the tag, or any (`*`), by weak comparison (RFC 9110 13.1.2): two tags match
 * when their quoted parts are equal. A malformed header names no tag, because the full answer is never wrong.
 */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ANY.test(ifNoneMatch)) return true;
  let named = false;
  ELEMENT.lastIndex = 0;
  for (;;) {
    const element = ELEMENT.exec(ifNoneMatch);
    if (element === null) return false;
    if (element[1] === tag) named = true;
    if (element[2] === "") return named;
  }
}
