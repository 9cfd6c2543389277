import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { curlLines } from "../../local/endpoints/curl-lines.ts";
import { curlWriter } from "../../local/terminal/shell.ts";

/** The lines that `demo curl` prints for the last start on a data directory. */
export function curlLinesFor(dataDir: string): readonly string[] {
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as DemoFile;
  return curlLines(demo, curlWriter("sh")).map(({ line }) => line);
}

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
