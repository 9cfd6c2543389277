import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Failure } from "../../lib/errors.ts";
import type { WriteOutcome } from "../../lib/write-outcome.ts";
import type { Line } from "../../ops/import/read-lines.ts";
import { newFlow, newTally } from "../../ops/import/tally.ts";
import { writeLines } from "../../ops/import/write-lines.ts";

vi.mock("node:timers/promises", () => ({
  // Pauses pass at once, but still end early for who is told to stop.
  setTimeout: async (_ms: number, _value: unknown, { signal }: { signal: AbortSignal }) => {
    signal.throwIfAborted();
  },
}));

/** How an import is cut short while one line is written: what each try of that line meets. */
const interruptions = {
  "Ctrl-C while the store throttles": (stop: AbortController, tries: number) => {
    if (tries === 3) stop.abort();
    throw new Failure("temporarily_unavailable", "The store did not answer.");
  },
  "a store that throttles for longer than a line is tried": () => {
    throw new Failure("temporarily_unavailable", "The store did not answer.");
  },
  "a fault of the store": () => {
    throw new Error("no such table");
  },
} as const;

/** Writes lines into a store in which the first version of a record stays: it shows any change of their order. */
async function importInto(
  stored: Map<string, string>,
  texts: readonly string[],
  interruption?: { readonly at: number; readonly meet: (stop: AbortController, tries: number) => never },
): Promise<void> {
  const stop = new AbortController();
  let begun = 0;
  let interrupted: string | undefined;
  let tries = 0;
  const write = async (text: string): Promise<WriteOutcome> => {
    begun += 1;
    if (begun === interruption?.at) interrupted = text;
    await new Promise(setImmediate);
    if (text === interrupted) interruption?.meet(stop, ++tries);
    const { id } = JSON.parse(text) as { id: string };
    if (stored.has(id)) return { outcome: "refused", reason: "another version was first" };
    stored.set(id, text);
    return { outcome: "written" };
  };
  const lines = (async function* (): AsyncGenerator<Line> {
    for (const [at, text] of texts.entries()) yield { number: at + 1, text };
  })();
  const counts = { tally: newTally(), flow: newFlow() };
  const sink = { onRefused: async () => {}, onRemark: async () => {}, ...counts, stop };
  await writeLines(lines, { write, ...sink }).catch(() => {});
}

test.each(Object.entries(interruptions))(
  "a file that is cut short by %s, at whichever write, and imported again ends as it would have at once",
  async (_name, meet) => {
    const files = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(files, async (ids) => {
        const texts = ids.map((id, at) => JSON.stringify({ id, at }));
        const whole = new Map<string, string>();
        await importInto(whole, texts);
        for (let at = 1; at <= texts.length; at += 1) {
          const stored = new Map<string, string>();
          await importInto(stored, texts, { at, meet });
          await importInto(stored, texts);
          expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(whole));
        }
      }),
      { numRuns: 60 },
    );
  },
);
