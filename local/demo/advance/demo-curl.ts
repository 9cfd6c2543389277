import { curlLine } from "../../signing/curl-line.ts";

/** A curl line for a GET that shows the headers of the answer too: a tag, a limit, a wait. */
export const demoCurl = (url: string, headers: Readonly<Record<string, string>>): string =>
  curlLine("GET", url, headers).replace(" -sS ", " -sSi ");
