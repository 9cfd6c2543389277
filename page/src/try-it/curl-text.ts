import { curlLine } from "../../../local/signing/curl-line.ts";
import { shQuoted } from "../../../local/terminal/sh-quoted.ts";
import type { Credential, PreparedRequest } from "./prepare-request.ts";

/** A curl line for a POSIX shell that sends a request as it was prepared; a client certificate goes with it as files. */
export function curlText({ url, headers }: PreparedRequest, credential: Credential): string {
  if (credential.kind !== "certificate") return curlLine("GET", url.href, headers);
  const { ca, cert, key } = credential;
  const files = { cacert: ca, cert, key };
  const options = Object.entries(files).map(([name, file]) => `--${name} ${shQuoted(file)}`);
  return curlLine("GET", url.href, headers).replace(" -sS ", ` -sS ${options.join(" ")} `);
}
