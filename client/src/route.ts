/** The URL of a route, with its placeholders replaced by encoded values. */
export function urlOf(baseUrl: string, route: string, values: Readonly<Record<string, string>> = {}): URL {
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, values[name]));
  return new URL(`${baseUrl}${path}`);
}

/** A value as a segment of a path. URLs drop a segment of dots, and with it the part before it. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== "string") throw new TypeError(`${name}: must be text.`);
  if (value === "" || /^\.{1,2}$/.test(value)) throw new TypeError(`${name}: "${value}" names nothing.`);
  if (/\p{Surrogate}/u.test(value)) throw new TypeError(`${name}: has half of a character.`);
  return encodeURIComponent(value);
}
