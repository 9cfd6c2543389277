import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { BoundedTasks } from "../../lib/bounded-tasks.ts";

/** A task that ends when it is told to. */
function openTask() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve };
}

/** Whether a promise has resolved, once everything that can happen by now has happened. */
async function hasResolved(promise: Promise<unknown>): Promise<boolean> {
  const later = new Promise<false>((resolve) => {
    setImmediate(resolve, false);
  });
  return Promise.race([promise.then(() => true), later]);
}

test("as many run at once as are allowed, and another one begins when any of them has ended", async () => {
  const tasks = new BoundedTasks(3);
  const opened = Array.from({ length: 3 }, openTask);
  const begun = opened.map(({ run }) => tasks.run(run));
  expect(await Promise.all(begun.map(hasResolved))).toEqual([true, true, false]);
  opened[1]?.end();
  expect(await hasResolved(begun[2] as Promise<void>)).toBe(true);
});

test("the end waits for every task that is under way", async () => {
  const tasks = new BoundedTasks(3);
  const opened = [openTask(), openTask()];
  for (const { run } of opened) await tasks.run(run);
  const end = tasks.end();
  opened[0]?.end();
  expect(await hasResolved(end)).toBe(false);
  opened[1]?.end();
  expect(await hasResolved(end)).toBe(true);
});

/** Bytes of the heap that are in use after a collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

test("a task that does not end costs no memory for the tasks that run beside it", async () => {
  const tasks = new BoundedTasks(2);
  const stuck = openTask();
  await tasks.run(stuck.run);
  const goOn = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += 1) await tasks.run(async () => {});
  };
  await goOn(1_000);
  const before = usedBytes();
  await goOn(100_000);
  expect(usedBytes() - before).toBeLessThan(3_000_000);
  stuck.end();
  await tasks.end();
});
