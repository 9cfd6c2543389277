import { expect, test } from "vitest";
import type { OpenWorld } from "../../../../publish/embed/world.ts";
import { WorldKeeper } from "../../../../publish/worlds/world-keeper.ts";

const HOUR_MS = 3_600_000;

/** A keeper whose worlds are names, and whose clock the test moves. */
function keeping(most: number, opened: (name: string) => Promise<OpenWorld> = async () => ({}) as OpenWorld) {
  const closed: string[] = [];
  const house = { open: opened, closeWorld: async (name: string) => void closed.push(name) };
  let now = 0;
  const keeper = new WorldKeeper({ house, most, steady: () => now });
  const passMs = async (ms: number): Promise<number> => {
    now += ms;
    await keeper.endForgotten();
    return keeper.count;
  };
  return { keeper, closed, passMs };
}

test("a world ends an hour after its last request, to itself or to its control address, or with all", async () => {
  const { keeper, closed, passMs } = keeping(9);
  const [called, steered, idle] = await Promise.all([keeper.open({}), keeper.open({}), keeper.open({})]);
  expect(called?.id).toMatch(/^[\w-]{22}$/);
  expect(await passMs(HOUR_MS - 1)).toBe(3);
  keeper.touch(called?.id ?? "");
  expect(keeper.find(steered?.id ?? "")).toBe(steered?.world);
  expect(await passMs(1)).toBe(2);
  expect(closed).toEqual([idle?.id]);
  expect(keeper.find(idle?.id ?? "")).toBeUndefined();
  expect(await passMs(HOUR_MS - 2)).toBe(2);
  expect(await passMs(1)).toBe(0);
  const last = await keeper.open({});
  await keeper.endAll();
  expect([keeper.count, closed.at(-1)]).toEqual([0, last?.id]);
});

test("worlds that are being opened count, do not age, and free their place when they cannot be opened", async () => {
  const { promise, reject } = Promise.withResolvers<OpenWorld>();
  const { keeper, passMs } = keeping(1, () => promise);
  const opening = keeper.open({});
  expect(await keeper.open({})).toBeUndefined();
  expect(await passMs(2 * HOUR_MS)).toBe(1);
  reject(new Error("no port"));
  await expect(opening).rejects.toThrow("no port");
  expect(keeper.count).toBe(0);
});

test("a forgotten world that cannot be closed is forgotten, and hinders none", async () => {
  const closed: string[] = [];
  const closeWorld = async (name: string) => {
    closed.push(name);
    throw new Error("no");
  };
  let now = 0;
  const open = async () => ({}) as OpenWorld;
  const keeper = new WorldKeeper({ house: { open, closeWorld }, most: 9, steady: () => now });
  await Promise.all([keeper.open({}), keeper.open({})]);
  now = HOUR_MS;
  await keeper.endForgotten();
  expect([keeper.count, closed.length]).toEqual([0, 2]);
});
