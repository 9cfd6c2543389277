import { describe, expect, test, vi } from "vitest";
import { openConnection } from "../../lib/compose.ts";
import { sampleContract } from "../support/chain.ts";

describe("while a function loads", () => {
  test("its switch is read, by the endpoint's name", async () => {
    const get = vi.fn(async () => ({ on: true }) as const);
    await openConnection(sampleContract, { get });
    expect(get.mock.calls).toEqual([[sampleContract.name]]);
  });

  test("a store that fails does not stop the load", async () => {
    const get = async () => {
      throw new Error("down");
    };
    await expect(openConnection(sampleContract, { get })).resolves.toBeUndefined();
  });
});
