import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { askAll, askTogether, expectAnswers, expectNoSecretIn } from "../../support/faults/expect-answer.ts";
import { isFor, type Part, parts, storeFaults } from "../../support/faults/fault-tables.ts";
import { startFaultyStack } from "../../support/faults/faulty-stack.ts";
import { everywhere } from "../../support/faults/outcomes.ts";

/** Functions forget what they remember within this time. */
const MEMORY_MS = 6_000;
/** After so many faults, environments are new: the SDK's budget for repetitions lasts for 17 failed calls. */
const REPEATING = 8;

const stack = await startFaultyStack();
const sound = await askAll(stack);
afterEach(() => expectNoSecretIn(stack));
afterAll(() => stack.close());

test("a sound stack serves every endpoint", () => {
  for (const { status } of Object.values(sound)) expect(status).toBe(200);
});

describe.each(Object.keys(parts) as Part[])("while a fault is in this part of the store: %s", (part) => {
  let tried = 0;
  beforeEach(async () => {
    if (tried % REPEATING === 0) await stack.renew();
    tried += 1;
    stack.clocks.pass(MEMORY_MS);
  });

  test.each(
    storeFaults.flatMap(({ what, act, waits, answers, lastsMs }) => {
      const cells = answers[part];
      return cells === undefined ? [] : [{ what, act, waits, cells, lastsMs }];
    }),
  )(
    "the store $what: each endpoint answers as decided, in time, and as ever afterwards",
    async ({ act, waits, cells, lastsMs = 0 }) => {
      const ask = waits === true ? askTogether : askAll;
      const answers = await stack.store.under(
        act,
        () => ask(stack),
        (heard) => isFor(part, heard),
      );
      expectAnswers(answers, cells, sound);
      stack.clocks.pass(lastsMs);
      expectAnswers(await askAll(stack), everywhere("served"), sound);
    },
  );
});
