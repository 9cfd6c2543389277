import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { confirmed } from "../../../../ops/terminal/ask.ts";

const QUESTION = "Erase 3 records of acme?";

/** Makes input and errors a terminal's, or not. */
function atTerminal(isOne: boolean, typed?: string): string[] {
  const input = Object.assign(new PassThrough(), { isTTY: isOne });
  const shown: string[] = [];
  vi.spyOn(process, "stdin", "get").mockReturnValue(input as never);
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    shown.push(String(chunk));
    return true;
  });
  Object.defineProperty(process.stderr, "isTTY", { value: isOne, configurable: true });
  if (typed !== undefined) input.end(typed);
  return shown;
}

const { isTTY } = process.stderr;
afterEach(() => {
  vi.restoreAllMocks();
  Object.defineProperty(process.stderr, "isTTY", { value: isTTY, configurable: true });
});

describe("a change that has to be confirmed", () => {
  test.each([true, false])("is wanted with --yes, and nobody is asked (terminal: %s)", async (isOne) => {
    const shown = atTerminal(isOne);
    expect(await confirmed(QUESTION, { yes: true })).toBe(true);
    expect(shown).toEqual([]);
  });

  test.each([
    ["y\n", true],
    ["YES\n", true],
    ["n\n", false],
    ["\n", false],
    ["yesterday\n", false],
    ["", false],
  ])("is asked for at a terminal, where %j means %s", async (typed, expected) => {
    const shown = atTerminal(true, typed);
    expect(await confirmed(QUESTION, {})).toBe(expected);
    expect(shown.join("")).toContain(`${QUESTION} [y/N] `);
  });

  test("is refused without a terminal, and the error says what to do", async () => {
    atTerminal(false);
    await expect(confirmed(QUESTION, { yes: undefined })).rejects.toMatchObject({
      name: "OperatorError",
      message: `${QUESTION} There is no terminal to ask on: confirm it with --yes.`,
    });
  });
});
