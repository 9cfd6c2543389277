import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { replaceFile } from "../get/own-files.ts";
import { callersPath } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { decodedBody } from "./body-form.ts";
import { bytesOf, type Field } from "./message.ts";
import type { Probe, Sending } from "./probe.ts";
import { fieldOf } from "./read-answer.ts";
import type { Seen } from "./send-message.ts";
import { CannotAsk, type Label, type Side } from "./side.ts";

/*
 * A receipt is a directory with a file for each request: what it shows, where and when it was sent, the request, the head of
 * the answer, and below an empty line its body without its coding. Names stand for secrets, ids and the address, as in a
 * report, so that it may lie in a repository and be read in a diff. `SHA256SUMS` names every file, in the form of
 * `sha256sum --check`: a receipt is taken whole or refused, because an answer that somebody has mended proves nothing.
 */

const SUMS = "SHA256SUMS";
const NO_ANSWER = "no answer: ";

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** What an address answered once: a side that needs no connection, whose texts are masked already. */
export interface Receipt {
  readonly label: Label;
  /** Where it is, whose answers it has, and since when. */
  readonly title: string;
  readonly mask: (text: string) => string;
  /** The answer to a request. @throws {CannotAsk} for one that was not recorded. */
  readonly seen: (probe: Probe) => Seen;
}

/** @throws {OperatorError} for a directory without a receipt, and a file that is missing or not as it was recorded. */
export async function openReceipt(label: Label, given: string): Promise<Receipt> {
  const read = (file: string, problem: string): Promise<string> =>
    readFile(join(callersPath(given), file), "utf8").catch((error: unknown) => {
      throw new OperatorError(`${problem} (${codeOf(error)}).`, error);
    });
  const address = "an address such as https://api.example.com/api";
  const sums = await read(SUMS, `--${label} ${given} is neither ${address} nor a receipt: it has no ${SUMS}`);
  const answers = new Map<string, string>();
  for (const line of sums.split("\n").filter(Boolean)) {
    // It may come from anybody: no other file than one of its own is opened.
    const [, sum, name = ""] = /^([0-9a-f]{64}) {2}([a-z0-9-]+)\.txt$/.exec(line) ?? [];
    if (sum === undefined)
      throw new OperatorError(`The receipt ${given} is damaged: ${SUMS} has the line ${line}.`);
    const text = await read(`${name}.txt`, `The receipt ${given} lacks ${name}.txt`);
    if (sumOf(text) !== sum)
      throw new OperatorError(`The receipt ${given} is damaged: ${name}.txt is not as it was recorded.`);
    answers.set(name, text);
  }
  const [first] = answers.values();
  if (first === undefined)
    throw new OperatorError(`The receipt ${given} has no answers. Record them again with --record.`);
  return {
    label,
    title: `${given} (${terminalText(first.split("\n")[1]?.slice("# ".length) ?? "")})`,
    mask: (text) => text,
    seen: ({ name }) => {
      const text = answers.get(name);
      if (text === undefined) throw new CannotAsk(`${label} is a receipt without it`);
      return seenIn(text);
    },
  };
}

/** Adds an answer to a receipt. */
export type Keep = (probe: Probe, side: Side, sending: Sending, seen: Seen) => Promise<void>;

/** Begins a receipt. @throws {OperatorError} for a directory that has something in it, so that none is of two days. */
export async function createReceipt(given: string, clock: Clock): Promise<Keep> {
  const directory = callersPath(given);
  const refuse = (error: unknown): never => {
    throw new OperatorError(`--record ${given} cannot be used: ${codeOf(error)}.`, error);
  };
  const files = await mkdir(directory, { recursive: true })
    .then(() => readdir(directory))
    .catch(refuse);
  if (files.length > 0)
    throw new OperatorError(`--record ${given} is not empty: give a new directory for each receipt.`);
  const sums = new Map<string, string>();
  return async ({ name, shows }, side, sending, seen) => {
    const request = bytesOf(sending.message, (sending.to ?? side.destination).url.host).toString("latin1");
    const [head, body] = answerParts(seen);
    const exchange = [
      ...request.split("\r\n").map((line) => `> ${line}`),
      ...head.map((line) => `< ${line}`),
    ];
    const origin = `# ${shows}\n# ${side.url.href} at ${new Date(clock()).toISOString()}`;
    const text = `${origin}\n${side.mask(`${exchange.join("\n")}\n\n${body}`)}\n`;
    const file = `${name}.txt`;
    await writeFile(join(directory, file), text).catch(refuse);
    sums.set(file, sumOf(text));
    // After each file, so that what is there before Ctrl-C or a kill is a receipt.
    const inOrder = [...sums.keys()].sort().map((one) => `${sums.get(one)}  ${one}\n`);
    await replaceFile(join(directory, SUMS), inOrder.join(""));
  };
}

function answerParts(seen: Seen): readonly [head: readonly string[], body: string] {
  if (seen.kind === "none") return [[`${NO_ANSWER}${seen.why}`], ""];
  const fields = seen.fields.map(([name, value]) => `${name}: ${value}`);
  return [[String(seen.status), ...fields], decodedBody(seen.body, fieldOf(seen, "content-encoding"))];
}

function seenIn(text: string): Seen {
  const end = text.indexOf("\n\n");
  const [first = "", ...lines] = text
    .slice(0, end)
    .split("\n")
    .flatMap((line) => (line.startsWith("< ") ? [line.slice(2)] : []));
  if (first.startsWith(NO_ANSWER))
    return { kind: "none", why: first.slice(NO_ANSWER.length), isUnreached: false };
  const fields = lines.map((line): Field => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
  const body = Buffer.from(text.slice(end + 2, -1));
  return { kind: "answer", status: Number(first), fields, body, isDecoded: true };
}
