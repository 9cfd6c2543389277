import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { runOperator } from "./operator.ts";
import { scratchDirectory } from "./scratch.ts";

/** What became of a line. */
export interface Ran {
  /** The exit code of the line, which is that of its last command. */
  readonly exit: number;
  readonly stdout: string;
}

/**
 * A shell for lines that call the operator's commands and `node -p` many times: this process does their work, because
 * processes of their own would take half a second each. A service that such a line reaches has to be another process.
 */
export interface QuickShell extends AsyncDisposable {
  /** Runs a script in the project's directory; `isQuick` false leaves npm and Node.js as they are. */
  run(script: string, environment: Readonly<Record<string, string>>, isQuick?: boolean): Promise<Ran>;
}

const STUBBED = ["npm", "node"] as const;

/** Sends its words, and ends with the exit code that the status of the answer stands for. */
const stubOf = (command: string, url: string): string => `#!/bin/sh
exec 3>&1
code=$(printf '%s\\0' ${command} "$@" | curl -s --data-binary @- -w '%{stderr}%{http_code}' ${url} 2>&1 >&3)
exit $((code - ${EXIT_0}))
`;
const EXIT_0 = 200;

export async function startQuickShell(): Promise<QuickShell> {
  let last: Promise<unknown> = Promise.resolve();
  /** One command after the other: a process can be only one command line at a time. */
  const answer = (words: readonly string[]): Promise<Ran> => {
    const next = last.then(() => ranHere(words));
    last = next.catch(() => {});
    return next;
  };
  const server = createServer((request, response) => {
    void buffer(request)
      .then((sent) => answer(sent.toString().split("\0").slice(0, -1)))
      .catch((error: unknown): Ran => ({ exit: 1, stdout: inspect(error) }))
      .then(({ exit, stdout }) => response.writeHead(EXIT_0 + exit).end(stdout));
  });
  const port = await listenOnLoopback(server);
  const stubs = scratchDirectory();
  for (const command of STUBBED) {
    const file = join(stubs, command);
    writeFileSync(file, stubOf(command, `http://127.0.0.1:${port}`));
    chmodSync(file, 0o755);
  }
  return {
    run: (script, environment, isQuick = true) => {
      const { PATH = "", HOME = "" } = process.env;
      const first = isQuick ? stubs : dirname(process.execPath);
      const env = { HOME, PATH: [first, PATH].join(delimiter), ...environment };
      return new Promise((done) => {
        execFile("sh", ["-c", script], { env }, (error, stdout) =>
          done({ exit: Number(error?.code ?? 0), stdout }),
        );
      });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

const OPERATORS = "npm run --silent ops --";

async function ranHere(words: readonly string[]): Promise<Ran> {
  const count = OPERATORS.split(" ").length;
  if (words.slice(0, count).join(" ") === OPERATORS) {
    const { code, stdout } = await runOperator(words.slice(count));
    return { exit: code ?? 1, stdout };
  }
  const [command, option, expression = "", ...others] = words;
  if (command === "node" && option === "-p" && others.length === 0)
    return { exit: 0, stdout: `${printed(expression)}\n` };
  return { exit: 1, stdout: `${words.join(" ")} is not a command of a quick shell.` };
}

/** What `node -p` prints. */
function printed(expression: string): string {
  const value: unknown = runInNewContext(expression, { require: createRequire(resolve("index.js")) });
  return typeof value === "string" ? value : inspect(value);
}
