import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The status that a printed line gets when it is pasted into a shell. */
export async function pastedStatus(curlLine: string): Promise<string> {
  const script = `${curlLine} -o /dev/null -w '%{http_code}'`;
  return (await promisify(execFile)("sh", ["-c", script])).stdout;
}

/** The request that a printed line makes with `curl -sS -H '…' '…'`. */
export function requestOf(curlLine: string): Request {
  const words = [...curlLine.matchAll(/'((?:[^']|'\\'')*)'/g)].map(([, word = ""]) =>
    word.replaceAll("'\\''", "'"),
  );
  const [header = "", url = ""] = words;
  const [name = "", value = ""] = header.split(/: (.*)/s);
  return new Request(url, { headers: { [name]: value } });
}
