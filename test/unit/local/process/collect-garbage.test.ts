import { expect, it } from "vitest";
import { collectGarbage } from "../../../../local/process/collect-garbage.ts";

it("what nothing refers to is gone once the garbage is collected, and what something does is not", async () => {
  const kept = { of: "a start" };
  const refs = [new WeakRef({ of: "a start" }), new WeakRef(kept)] as const;
  // A reference that was just made holds its object until the running code has ended.
  await new Promise(setImmediate);
  await collectGarbage();
  expect(refs.map((ref) => ref.deref())).toEqual([undefined, kept]);
});
