/** A link with its target and its parameters (RFC 8288 section 3), of which some have no value. */
const LINK =
  /[\s,]*<([^<>]*)>((?:\s*;(?:\s*[^\s"=;,<>]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";,]*))?)?)*)\s*(?:,|$)/gy;
const PARAMETER = /;\s*([^\s"=;,<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*)))?/g;

/**
 * The target of `rel="next"` in a `Link` header, resolved against the URL that was requested; undefined when there is none.
 *
 * @throws {SyntaxError} for a header that cannot be read: the next page may be in the part that is not understood.
 */
export function nextPage(url: URL, header: string | null): URL | undefined {
  const text = header ?? "";
  const links = [...text.matchAll(LINK)];
  const rest = text.slice(links.reduce((length, [link]) => length + link.length, 0));
  if (/[^\s,]/.test(rest)) throw new SyntaxError("Link is not a list of links.");
  const target = links.find(([, , parameters = ""]) => isNext(parameters))?.[1];
  if (target === undefined) return undefined;
  if (URL.canParse(target, url.href)) return new URL(target, url);
  throw new SyntaxError("Link has a target that is not an address.");
}

/** Only the first relation of a link counts. */
function isNext(parameters: string): boolean {
  const named = [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === "rel");
  const relations = named?.[2] ?? named?.[3] ?? "";
  return relations.toLowerCase().split(/\s+/).includes("next");
}
