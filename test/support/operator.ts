import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Console } from "node:console";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";
import { createLocalClient, openStore } from "../../local/store/engine.ts";
import { createTables } from "../../local/store/tables.ts";
import { runCommandLine } from "../../ops/run-command-line.ts";
import { stageTables } from "../../ops/store/local-tables.ts";
import { projectRoot } from "./project.ts";

/** How `npm run ops` starts it. */
const COMMAND_LINE = ["--import", `${projectRoot}/local/require-node.mjs`, `${projectRoot}/ops/main.ts`];

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
  /** Where standard output goes, in place of a pipe that is read. */
  readonly output?: "a closed pipe" | "a full disk" | "nowhere";
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How standard output fails: its reader is gone, at once or after a line, or the disk behind it is full. */
export const lostOutputs = ["closed", "closed after a line", "full"] as const;
export type LostOutput = (typeof lostOutputs)[number];

/** A run in this process. */
interface RunHere extends Omit<OperatorOptions, "holdInput"> {
  readonly lost?: LostOutput;
  /** Called when something is printed. */
  readonly onPrint?: () => void;
}

/** Starts the operator's command line as a process of its own, without any other environment variables. */
export function startOperator(
  args: readonly string[],
  { input = "", holdInput = false, env = {}, cwd, output }: OperatorOptions = {},
) {
  const { PATH = "", HOME = "" } = process.env;
  const full = output === "a full disk" ? openSync("/dev/full", "w") : undefined;
  const child = spawn(process.execPath, [...COMMAND_LINE, ...args], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ["pipe", output === "nowhere" ? "ignore" : (full ?? "pipe"), "pipe"],
  }) as ChildProcessWithoutNullStreams;
  if (full !== undefined) closeSync(full);
  if (output === "a closed pipe") child.stdout.destroy();
  child.stdin.on("error", () => {});
  child.stdin.write(input);
  if (!holdInput) child.stdin.end();
  const ended = async (): Promise<OperatorRun> => {
    const [stdout, stderr, [code, signal]] = await Promise.all([
      output === undefined ? text(child.stdout) : "",
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr };
  };
  return { child, ended: ended() };
}

/** The words of a command line; what is put into it is one word, whatever it contains. */
export function words(texts: TemplateStringsArray, ...given: readonly (string | undefined)[]): string[] {
  const left = [...given];
  const line = texts.join("\0").split(" ").filter(Boolean);
  return line.map((word) => word.replaceAll("\0", () => left.shift() ?? ""));
}

/** A command that could not do its work, and said why in a line. */
export const failing = (line: RegExp | string) => ({
  code: 2,
  stdout: "",
  stderr: typeof line === "string" ? expect.stringContaining(line) : expect.stringMatching(line),
});

let isRunningHere = false;

/**
 * Runs the operator's command line to its end: in this process, which is quicker, unless another command runs here.
 * Without variables of its own it has the test's, which a fake AWS may have set.
 * Signals, and what becomes of a process, need one of its own (`startOperator`).
 */
export async function runOperator(args: readonly string[], options: RunHere = {}): Promise<OperatorRun> {
  if (isRunningHere) return startOperator(args, options).ended;
  isRunningHere = true;
  try {
    return await runHere(args, options);
  } finally {
    isRunningHere = false;
  }
}

async function runHere(
  args: readonly string[],
  { input = "", env, cwd, lost, onPrint }: RunHere,
): Promise<OperatorRun> {
  using surroundings = new DisposableStack();
  const stdout = surroundings.use(capture(process.stdout, lost, onPrint));
  const stderr = surroundings.use(capture(process.stderr));
  surroundings.use(replaced(globalThis, "console", new Console(process.stdout, process.stderr)));
  surroundings.use(replaced(process, "stdin", inputOf(input)));
  // The command may live in the time of a service that was moved.
  surroundings.use(replaced(globalThis, "Date", Date));
  if (env !== undefined) surroundings.use(onlyVariables(env));
  surroundings.use(inDirectory(cwd));
  surroundings.use(withoutNewSignals());
  const code = await exitCodeOf(args);
  return { code, signal: null, stdout: stdout.written(), stderr: stderr.written() };
}

async function exitCodeOf(args: readonly string[]): Promise<number> {
  const { exitCode } = process;
  process.exitCode = 0;
  await runCommandLine(args);
  const { exitCode: code } = process;
  process.exitCode = exitCode;
  return code;
}

/** Puts a value in the place of a global one, until it is disposed of. */
function replaced<Owner extends object>(owner: Owner, name: keyof Owner, value: unknown): Disposable {
  const kept = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  return { [Symbol.dispose]: () => Object.defineProperty(owner, name, kept) };
}

/** A pipe that ends after its content. */
const inputOf = (content: string | Buffer): PassThrough => new PassThrough().end(content);

/** Leaves of the environment what `startOperator` hands on, and adds what is given. */
function onlyVariables(given: Readonly<Record<string, string>>): Disposable {
  const kept = { ...process.env };
  const { PATH = "", HOME = "" } = kept;
  setVariables({ PATH, HOME, ...given });
  return { [Symbol.dispose]: () => setVariables(kept) };
}

function setVariables(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(variables, name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, variables);
}

function inDirectory(directory: string | undefined): Disposable {
  const kept = process.cwd();
  if (directory !== undefined) process.chdir(directory);
  return { [Symbol.dispose]: () => process.chdir(kept) };
}

/** Takes back at its disposal who listens for a signal since: a command ends with its process, and need not do so. */
function withoutNewSignals(): Disposable {
  const signals = new Map((["SIGINT", "SIGTERM"] as const).map((one) => [one, process.listeners(one)]));
  const restore = () => {
    for (const [signal, before] of signals)
      for (const added of process.listeners(signal).filter((one) => !before.includes(one)))
        process.off(signal, added);
  };
  return { [Symbol.dispose]: restore };
}

/** Keeps what a stream takes until its end. One that fails does so as Node.js's own streams do. */
function capture(stream: NodeJS.WriteStream, lost?: LostOutput, onPrint = () => {}) {
  let text = "";
  const isLost = () => lost !== undefined && (lost !== "closed after a line" || text.includes("\n"));
  const spy = vi.spyOn(stream, "write").mockImplementation((chunk, ...rest) => {
    const called = rest.find((one) => typeof one === "function");
    if (isLost()) {
      const error = Object.assign(new Error("write failed"), { code: lost === "full" ? "ENOSPC" : "EPIPE" });
      process.nextTick(() => {
        called?.(error);
        stream.emit("error", error);
      });
    } else {
      text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      called?.();
    }
    onPrint();
    return true;
  });
  return { written: () => text, [Symbol.dispose]: () => spy.mockRestore() };
}

/** Creates an empty store in a data directory. */
export async function makeStore(data: string): Promise<void> {
  const engine = await openStore(data);
  const client = createLocalClient(engine);
  try {
    await createTables(client, stageTables());
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
export const temporaryDirectory = () => mkdtempDisposable(join(tmpdir(), "countinghouse-"));
