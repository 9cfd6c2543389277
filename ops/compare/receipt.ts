import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
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
export class Receipt {
  readonly label: Label;
  /** Where it is, whose answers it has, and since when. */
  readonly title: string;
  readonly #answers: ReadonlyMap<string, Seen>;

  private constructor(label: Label, title: string, answers: ReadonlyMap<string, Seen>) {
    this.label = label;
    this.title = title;
    this.#answers = answers;
  }

  /** @throws {OperatorError} for a directory without a receipt, and a file that is missing or not as it was recorded. */
  static async open(label: Label, given: string): Promise<Receipt> {
    const directory = callersPath(given);
    const sums = await readFile(join(directory, SUMS), "utf8").catch((error: unknown) => {
      throw new OperatorError(
        `--${label} ${given} is neither an address such as https://api.example.com/api nor a receipt: it has no ${SUMS} (${codeOf(error)}).`,
        error,
      );
    });
    const answers = new Map<string, Seen>();
    let origin = "";
    for (const line of sums.split("\n").filter(Boolean)) {
      // It may come from anybody: no other file than one of its own is opened.
      const [, sum, file] = /^([0-9a-f]{64}) {2}([a-z0-9-]+\.txt)$/.exec(line) ?? [];
      if (file === undefined)
        throw new OperatorError(`The receipt ${given} is damaged: ${SUMS} has the line ${line}.`);
      const text = await readFile(join(directory, file), "utf8").catch((error: unknown) => {
        throw new OperatorError(`The receipt ${given} lacks ${file} (${codeOf(error)}).`, error);
      });
      if (sumOf(text) !== sum)
        throw new OperatorError(`The receipt ${given} is damaged: ${file} is not as it was recorded.`);
      answers.set(file.replace(/\.txt$/, ""), seenIn(text));
      origin ||= text.split("\n")[1]?.slice("# ".length) ?? "";
    }
    return new Receipt(label, `${given} (${terminalText(origin)})`, answers);
  }

  /** The answer to a request. @throws {CannotAsk} for one that was not recorded. */
  seen({ name }: Probe): Seen {
    const seen = this.#answers.get(name);
    if (seen === undefined) throw new CannotAsk(`${this.label} is a receipt without it`);
    return seen;
  }

  readonly mask = (text: string): string => text;
}

/** Writes a receipt, file by file. */
export class ReceiptWriter {
  readonly #directory: string;
  readonly #sums: string[] = [];

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** @throws {OperatorError} for a directory that has something in it, so that no receipt is of two days. */
  static async open(given: string): Promise<ReceiptWriter> {
    const directory = callersPath(given);
    try {
      await mkdir(directory, { recursive: true });
      if ((await readdir(directory)).length === 0) return new ReceiptWriter(directory);
    } catch (error) {
      throw new OperatorError(`--record ${given} cannot be used: ${codeOf(error)}.`, error);
    }
    throw new OperatorError(`--record ${given} is not empty: give a new directory for each receipt.`);
  }

  /** @param at epoch ms, when the answer came. */
  async add({ name, shows }: Probe, side: Side, sending: Sending, seen: Seen, at: number): Promise<void> {
    const request = bytesOf(sending.message, (sending.to ?? side.destination).url.host).toString("latin1");
    const [head, body] = answerParts(seen);
    const lines = [
      `# ${shows}`,
      `# ${side.url.href} at ${new Date(at).toISOString()}`,
      ...side
        .mask(request)
        .split("\r\n")
        .map((line) => `> ${line}`),
      ...head.map((line) => `< ${side.mask(line)}`),
    ];
    const text = `${lines.join("\n")}\n\n${side.mask(body)}\n`;
    await writeFile(join(this.#directory, `${name}.txt`), text);
    this.#sums.push(`${sumOf(text)}  ${name}.txt\n`);
    // After each file, so that what is there before Ctrl-C is a receipt.
    await writeFile(join(this.#directory, SUMS), this.#sums.toSorted(byFile).join(""));
  }
}

const byFile = (one: string, other: string): number => (one.slice(64) < other.slice(64) ? -1 : 1);

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
