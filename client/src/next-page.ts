const LINK = /<([^>]*)>((?:\s*;\s*[^\s"=;,]+\s*=\s*(?:"[^"]*"|[^\s";,]*))*)/g;
const IS_NEXT = /;\s*rel\s*=\s*(?:"(?:[^"]* )?next(?: [^"]*)?"|next\s*(?:;|$))/i;

/** The target of `rel="next"` in a `Link` header (RFC 8288), resolved against the URL that was requested. */
export function nextPage(url: URL, header: string | null): URL | undefined {
  const links = [...(header ?? "").matchAll(LINK)];
  const target = links.find(([, , parameters = ""]) => IS_NEXT.test(parameters))?.[1];
  return target === undefined ? undefined : new URL(target, url);
}
