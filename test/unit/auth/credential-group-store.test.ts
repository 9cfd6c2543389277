import { describe, expect, test } from "vitest";
import { CredentialGroupStore } from "../../../lib/auth/credential-group-store.ts";
import { NOW } from "../../support/chain.ts";
import { clientOver, storeAnswers, type WireAnswer } from "../../support/faulty-store.ts";

const item = {
  id: { S: "jws#k" },
  kind: { S: "jws" },
  owner: { S: "wallet-1" },
  scopes: { S: "passes.read" },
};
const none = { Responses: { credentials: [] } };
const batch = (answer: object): WireAnswer => ({ status: 200, body: JSON.stringify(answer) });

/** A store that gives these answers in turn, the last one from then on, and the number of calls to it. */
function storeOver(...answers: WireAnswer[]) {
  const asked: Record<string, unknown>[] = [];
  let now = NOW;
  const client = clientOver(({ input }) => {
    asked.push(input);
    return (answers.length > 1 ? answers.shift() : answers[0]) as WireAnswer;
  });
  const store = new CredentialGroupStore({ client, name: "credentials" }, () => now);
  return { asked, store, pass: (ms: number) => (now += ms) };
}

describe("credentials that are looked up together", () => {
  test("come from one strongly consistent read of exactly their ids", async () => {
    const { asked, store } = storeOver(batch({ Responses: { credentials: [item] } }));
    const found = await store.getAll(["certificate#a", "jws#k"]);
    expect(found).toMatchObject([{ id: "jws#k", owner: "wallet-1" }]);
    const Keys = [{ id: { S: "certificate#a" } }, { id: { S: "jws#k" } }];
    const RequestItems = { credentials: { Keys, ConsistentRead: true } };
    expect(asked).toEqual([{ RequestItems, ReturnConsumedCapacity: "TOTAL" }]);
  });

  test("are remembered for five seconds, and absence never", async () => {
    const found = storeOver(batch({ Responses: { credentials: [item] } }));
    for (const [passedMs, reads] of [
      [0, 1],
      [4_999, 1],
      [1, 2],
    ] as const) {
      found.pass(passedMs);
      await found.store.getAll(["a"]);
      expect(found.asked).toHaveLength(reads);
    }
    const absent = storeOver(batch(none));
    for (const _ of [1, 2]) await absent.store.getAll(["a"]);
    expect(absent.asked).toHaveLength(2);
  });

  test.each([
    ["a batch that left keys unread", batch({ ...none, UnprocessedKeys: { credentials: { Keys: [] } } })],
    ["a throttled batch", storeAnswers.error(400, "ThrottlingException")],
    ["a stall", storeAnswers.stall()],
  ])("are not taken for absent after %s", async (_, answer) => {
    const { store } = storeOver(answer);
    await expect(store.getAll(["a"])).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });
});
