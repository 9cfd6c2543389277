import { expect, test } from "vitest";
import { paceOf } from "../../../../ops/compare/run-suite.ts";

test("requests are sent at even distances, and none is made up for after a slow one", async () => {
  let now = 5_000;
  const waits: number[] = [];
  const pace = paceOf(
    4,
    () => now,
    async (ms) => {
      waits.push(ms);
      now += ms;
    },
  );
  await pace();
  now += 50;
  await pace();
  await pace();
  now += 1_000;
  await pace();
  await pace();
  expect(waits).toEqual([200, 250, 250]);
});
