import { describe, expect, test } from "vitest";
import { losingAnswers } from "../../../../local/store/behaviour/lost-answers.ts";
import { AnswerLost, type StoreOperation } from "../../../../local/store/wire.ts";

const WRITES = ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"] as const;
const READS = ["GetItem", "BatchGetItem", "Query", "Scan", "CreateTable", "DescribeTable"] as const;

function losing(share: number, random: number, status = 200) {
  const asked: StoreOperation[] = [];
  const store = losingAnswers({
    engine: async ({ operation }) => {
      asked.push(operation);
      return { status, body: { from: operation } };
    },
    share,
    random: () => random,
  });
  return { asked, answer: (operation: StoreOperation) => store({ operation, input: {} }) };
}

describe("answers that are lost", () => {
  test.each(WRITES)("a %s takes effect, and its answer is lost", async (operation) => {
    const { asked, answer } = losing(0.5, 0.49);
    await expect(answer(operation)).rejects.toThrow(AnswerLost);
    expect(asked).toEqual([operation]);
  });

  test.each(WRITES)("a %s outside the share is answered, and so is a refused one", async (operation) => {
    expect(await losing(0.5, 0.5).answer(operation)).toEqual({ status: 200, body: { from: operation } });
    expect((await losing(1, 0, 400).answer(operation)).status).toBe(400);
  });

  test.each(READS)("a %s is always answered", async (operation) => {
    expect((await losing(1, 0).answer(operation)).status).toBe(200);
  });

  test("a share of 0 loses nothing, and one of 1 every write", async () => {
    expect((await losing(0, 0).answer("PutItem")).status).toBe(200);
    await expect(losing(1, 1 - Number.EPSILON).answer("PutItem")).rejects.toThrow(AnswerLost);
  });
});
