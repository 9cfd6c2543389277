/** A text as one word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The headers as options of a curl line that takes them from a substitution: the shell splits these at their spaces only. */
export const curlOptions = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `-H ${name}:${value}`)
    .join(" ");

/** A command line that sends a request exactly as it was signed; a shell leaves every part of it as it is. */
export function curlLine(method: string, url: string, headers: Readonly<Record<string, string>>): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const verb = method === "GET" ? [] : ["-X", method];
  // curl would otherwise read brackets and braces as ranges, and squeeze dots out of the path.
  return ["curl", "--globoff", "--path-as-is", "-sS", ...verb, ...given, quoted(url)].join(" ");
}
