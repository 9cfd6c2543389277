import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shQuoted } from "../../../../local/terminal/sh-quoted.ts";
import {
  cmdQuoted,
  curlWriter,
  dataOption,
  powershellQuoted,
  SHELLS,
  shellOf,
} from "../../../../local/terminal/shell.ts";
import { cases } from "../../../support/cases.ts";

/** Texts with the characters that shells act on, and others. No shell has a word with a NUL or a line feed in it. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Array.from(`'"\\\`$%&|<>^!();# \t‘’‚‛“”-@{}`)),
      fc.string({ unit: "binary", maxLength: 2 }),
    ),
  )
  .map((parts) =>
    parts
      .join("")
      .replace(/[\0\r\n]/g, "")
      .toWellFormed(),
  );

describe("a quoted word is the text itself,", () => {
  test("to a POSIX shell", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (texts) => {
        const script = `printf '%s\\0' ${texts.map(shQuoted).join(" ")}`;
        expect(execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(
          texts,
        );
      }),
      { numRuns: cases(10) },
    );
  });

  /** A single-quoted string as PowerShell's tokenizer reads it (ScanStringLiteral); what follows it is `rest`. */
  function readPowershell(source: string): { readonly value: string; readonly rest: string } {
    const isQuote = (character: string | undefined) => /^['\u2018-\u201b]$/.test(character ?? "");
    const characters = Array.from(source);
    if (!isQuote(characters[0])) throw new Error("It does not begin with a quote.");
    let value = "";
    for (let at = 1; at < characters.length; at += 1) {
      if (isQuote(characters[at])) {
        if (!isQuote(characters[at + 1])) return { value, rest: characters.slice(at + 1).join("") };
        at += 1;
      }
      value += characters[at];
    }
    throw new Error("It does not end.");
  }

  test("to PowerShell, which has five single quotes", () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(readPowershell(`${powershellQuoted(one)} x`)).toEqual({ value: one, rest: " x" });
      }),
    );
  });

  /** The arguments of a command line as the Universal C Runtime parses it (parse_cmdline). */
  function readArguments(line: string): string[] {
    const words: string[] = [];
    let [word, isQuoted, at]: [string | undefined, boolean, number] = [undefined, false, 0];
    while (at < line.length) {
      const [backslashes = ""] = /^\\*/.exec(line.slice(at)) ?? [];
      at += backslashes.length;
      const isBeforeQuote = line[at] === '"';
      if (backslashes !== "")
        word =
          (word ?? "") + "\\".repeat(isBeforeQuote ? Math.floor(backslashes.length / 2) : backslashes.length);
      if (isBeforeQuote) {
        const isLiteral = backslashes.length % 2 === 1 || (isQuoted && line[at + 1] === '"');
        if (isLiteral && backslashes.length % 2 === 0) at += 1;
        word = (word ?? "") + (isLiteral ? '"' : "");
        if (!isLiteral) isQuoted = !isQuoted;
        at += 1;
      } else if (/[ \t]/.test(line[at] ?? "") && !isQuoted) {
        if (word !== undefined) words.push(word);
        word = undefined;
        at += 1;
      } else if (at < line.length) {
        word = (word ?? "") + line[at];
        at += 1;
      }
    }
    return word === undefined ? words : [...words, word];
  }

  test("to a program that cmd starts; cmd itself sees every special character within quotes", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const line = `${cmdQuoted(one)} ${cmdQuoted(other)}`;
        expect(readArguments(line)).toEqual([one, other]);
        // cmd knows no backslash: each quote switches.
        const unquoted = line.split('"').filter((_, at) => at % 2 === 0);
        expect(unquoted.join("")).toMatch(/^\\* ?\\*$|^ $/);
      }),
    );
  });
});

describe("the option of a data directory", () => {
  test("is one text for all shells, where none of them acts on a character in it", () => {
    for (const path of ["/a b/it's (1) & more^", "C:\\Users\\a b"])
      for (const shell of SHELLS) expect(dataOption(path, "/data", shell)).toBe(` --data "${path}"`);
    expect(dataOption("/data", "/data", "cmd")).toBe("");
  });

  test.each(["$HOME", "`x`", '"', "100%PATH%", "a!b", "“", "\\\\server", "C:\\"])(
    "is quoted for the shell, where one acts: %s",
    (path) => {
      expect(dataOption(path, "", "sh")).toBe(` --data ${shQuoted(path)}`);
      expect(dataOption(path, "", "powershell")).toBe(` --data ${powershellQuoted(path)}`);
      expect(dataOption(path, "", "cmd")).toBe(` --data ${cmdQuoted(path)}`);
    },
  );
});

describe("a curl line", () => {
  const url = "http://127.0.0.1:3000/a?b=1&c=2";
  const sign = ["sign", "GET", url, "--curl-options"];
  const outputs = {
    split: ["-sS", { split: sign }, url],
    after: ["-sS", "-H", { after: "A: ", output: ["sign-pass", "/a"] }, url],
  } as const;
  const node = `'${process.execPath}' --import 'file:`;

  test.each(["linux", "win32"] as const)(
    "for PowerShell calls Node.js, and not npm's script (%s)",
    (platform) => {
      const write = curlWriter("powershell", platform);
      const curl = platform === "win32" ? "curl.exe" : "curl";
      expect(write(outputs.split)).toMatch(
        new RegExp(
          `^${curl} -sS \\(\\(& '.*' --import 'file:.*' '.*main\\.ts' sign GET '.*' --curl-options\\) -split ' '\\) '`,
        ),
      );
      expect(write(outputs.split)).toContain(node);
      expect(write(outputs.after)).toMatch(
        new RegExp(`^${curl} -sS -H \\('A: ' \\+ \\(& '.*' sign-pass '/a'\\)\\) 'http:`),
      );
    },
  );

  test("for cmd takes another command's output by `for /f`, and needs it for nothing else", () => {
    const write = curlWriter("cmd", "win32");
    expect(write(["-sS", url])).toBe(`curl.exe -sS "${url}"`);
    expect(write(outputs.split)).toMatch(
      /^for \/f "usebackq delims=" %i in \(`"".*" --import "file:.*" sign GET "[^"]*" --curl-options"`\) do @curl\.exe -sS %i "[^"]*"$/,
    );
    expect(write(outputs.after)).toMatch(/do @curl\.exe -sS -H "A: %i" "[^"]*"$/);
  });
});

test("the shell of a terminal is told by what PowerShell leaves in the environment", () => {
  const places =
    "C:\\Program Files\\WindowsPowerShell\\Modules;C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules";
  expect(shellOf({}, "linux")).toBe("sh");
  expect(shellOf({ PSModulePath: "/root/.local/share/powershell/Modules" }, "linux")).toBe("powershell");
  expect(shellOf({ PSModulePath: places }, "win32")).toBe("cmd");
  expect(
    shellOf({ PSModulePath: `C:\\Users\\a\\Documents\\WindowsPowerShell\\Modules;${places}` }, "win32"),
  ).toBe("powershell");
  expect(shellOf({}, "win32")).toBe("cmd");
  expect(shellOf({ MSYSTEM: "MINGW64", PSModulePath: places }, "win32")).toBe("sh");
});
