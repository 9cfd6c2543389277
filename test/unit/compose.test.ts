import { describe, expect, test, vi } from "vitest";
import { openConnection } from "../../lib/compose.ts";
import { sampleContract } from "../support/chain.ts";

describe("while a function loads", () => {
  test("its switch is read, by the endpoint's name", async () => {
    const get = vi.fn(async () => ({ on: true }) as const);
    await openConnection(sampleContract, { get });
    expect(get.mock.calls).toEqual([[sampleContract.name]]);
  });

  test("the kept keys of the issuer are read after the switch, so that one connection is enough", async () => {
    const order: string[] = [];
    const get = async () => {
      await Promise.resolve();
      order.push("switch");
      return { on: true } as const;
    };
    const prime = async (): Promise<void> => void order.push("keys");
    await openConnection(sampleContract, { get }, { prime });
    expect(order).toEqual(["switch", "keys"]);
  });

  test("a store that fails does not stop the load", async () => {
    const get = async () => {
      throw new Error("down");
    };
    await expect(openConnection(sampleContract, { get })).resolves.toBeUndefined();
  });
});
