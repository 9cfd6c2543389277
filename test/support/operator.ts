import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createLocalClient, openStore } from "../../local/store/engine.ts";
import { createTables } from "../../local/store/tables.ts";
import { localTables } from "../../ops/store/local-tables.ts";

const MAIN = `${import.meta.dirname}/../../ops/main.ts`;

export interface OperatorRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface OperatorOptions {
  /** The command's standard input; empty when not given. */
  readonly input?: string | Buffer;
  /** Keeps standard input open after `input`, so that the command waits for more until it is stopped. */
  readonly holdInput?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Starts the operator's command line as a process of its own, without any other environment variables. */
export function startOperator(
  args: readonly string[],
  { input = "", holdInput = false, env = {}, cwd }: OperatorOptions = {},
) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { PATH, HOME, ...env } });
  child.stdin.on("error", () => {});
  child.stdin.write(input);
  if (!holdInput) child.stdin.end();
  const ended = async (): Promise<OperatorRun> => {
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr };
  };
  return { child, ended: ended() };
}

/** Runs the operator's command line to its end. */
export const runOperator = (args: readonly string[], options?: OperatorOptions): Promise<OperatorRun> =>
  startOperator(args, options).ended;

/** Creates an empty store in a data directory. */
export async function makeStore(data: string): Promise<void> {
  const engine = await openStore(data);
  const client = createLocalClient(engine);
  try {
    await createTables(client, localTables());
  } finally {
    client.destroy();
    await engine.close();
  }
}

/** The counts of an import's closing table, by their names. */
export function countsOf({ stdout }: OperatorRun): Record<string, number> {
  const rows = stdout.matchAll(/^(written|unusual|corrected|unchanged|stale|refused|lines) +([\d,]+)/gm);
  return Object.fromEntries(
    Array.from(rows, ([, name, count]) => [name, Number(count?.replaceAll(",", ""))]),
  );
}

/** A new directory, which is removed when it is disposed of. */
export async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), "countinghouse-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
