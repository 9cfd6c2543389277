import { describe, expect, test, vi } from "vitest";
import { openConnection } from "../../lib/compose.ts";
import { sampleContract } from "../support/chain.ts";

describe("while a function loads", () => {
  test("its switch is read, by the endpoint's name", async () => {
    const read = vi.fn(async () => ({ on: true }) as const);
    await openConnection(sampleContract, { read });
    expect(read.mock.calls).toEqual([[sampleContract.name]]);
  });

  test("a store that fails stops nothing", async () => {
    const read = async () => {
      throw new Error("down");
    };
    await expect(openConnection(sampleContract, { read })).resolves.toBeUndefined();
  });
});
