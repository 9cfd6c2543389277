import { describe, expect, test } from "vitest";
import { RecordOrder, recordIdsOf } from "../../../../local/records/write-lines.ts";

describe("tasks of one record", () => {
  test("are held back by one that failed, and fail as it did; those of other records are not", async () => {
    const order = new RecordOrder();
    const seen: string[] = [];
    const say = (what: string) => async () => void seen.push(what);
    const fail = async () => {
      throw new Error("given up");
    };
    const results = await Promise.allSettled([
      order.run(["a"], say("a1")),
      order.run(["a"], fail),
      order.run(["b"], say("b1")),
      order.run(["a"], say("a3")),
      order.run([], say("none")),
      order.run(["a"], say("a4")),
    ]);
    expect(seen.toSorted()).toEqual(["a1", "b1", "none"]);
    const failed = results.map(({ status }) => status === "rejected");
    expect(failed).toEqual([false, true, false, true, false, true]);
    expect(results.at(-1)).toMatchObject({ reason: { message: "given up" } });
    // Those that come after the failure too.
    await expect(order.run(["a"], say("later"))).rejects.toThrow("given up");
    await order.run(["b"], say("b2"));
    expect(seen).not.toContain("later");
  });
});

test.each([
  ['{"id":"ABC"}', ["abc"]],
  ['{"partner_reference":"Ref"}', ["ref"]],
  ['{"id":7,"partner_reference":"Ref"}', ["ref"]],
  ['{"partner_reference":"Ref","id":"A"}', ["a", "ref"]],
  ['{"id":7}', []],
  ["null", []],
  ["{", []],
])("%s is about %j", (text, ids) => expect(recordIdsOf(text)).toEqual(ids));

test("lines that share one of two ids wait for each other, whatever the other id is", async () => {
  const order = new RecordOrder();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const tasks = [
    order.run(["a", "ref"], async () => {
      await first.promise;
      done.push("first");
    }),
    order.run(["b", "ref"], async () => done.push("second")),
    order.run(["b"], async () => done.push("third")),
    order.run(["c"], async () => done.push("of another record")),
  ];
  await tasks[3];
  first.resolve();
  await Promise.all(tasks);
  expect(done).toEqual(["of another record", "first", "second", "third"]);
});
