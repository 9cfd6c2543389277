import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlText } from "../../../../page/src/try-it/curl-text.ts";

const url = new URL("https://m.test/passes/it's%20me?x=[1]");

/** The words that a POSIX shell makes of a line. */
const wordsOf = (line: string): readonly string[] =>
  execFileSync("sh", ["-c", `for word in ${line}; do printf '%s\\n' "$word"; done`], { encoding: "utf8" })
    .trimEnd()
    .split("\n");

test("a shell hands curl each header and the address as one word, whatever is in them", () => {
  const line = curlText({ url, headers: { "If-None-Match": `"it's $HOME"` } }, { kind: "none" });
  expect(wordsOf(line)).toEqual([
    "curl",
    "--globoff",
    "--path-as-is",
    "-sS",
    "-H",
    `If-None-Match: "it's $HOME"`,
    "https://m.test/passes/it's%20me?x=[1]",
  ]);
});

test("a client certificate goes with the line as its files", () => {
  const credential = {
    kind: "certificate",
    url: "https://m.test",
    ca: "/a b/ca",
    cert: "/c",
    key: "/k",
  } as const;
  const words = wordsOf(curlText({ url, headers: { Version: "1" } }, credential));
  expect(words.slice(3)).toEqual([
    "-sS",
    "--cacert",
    "/a b/ca",
    "--cert",
    "/c",
    "--key",
    "/k",
    "-H",
    "Version: 1",
    url.href,
  ]);
});
