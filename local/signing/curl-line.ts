import { shQuoted as quoted } from "../terminal/sh-quoted.ts";

/** The headers as options for the `$(…)` of a curl command. Names and values hold no spaces, where the shell splits. */
export const curlOptions = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `-H ${name}:${value}`)
    .join(" ");

/** A curl command that sends a request exactly as it was signed; every word of it is quoted for the shell. */
export function curlLine(method: string, url: string, headers: Readonly<Record<string, string>>): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const verb = method === "GET" ? [] : ["-X", method];
  // Without these options curl expands brackets and braces, and removes dot segments from the path.
  return ["curl", "--globoff", "--path-as-is", "-sS", ...verb, ...given, quoted(url)].join(" ");
}
