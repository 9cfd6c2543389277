import { expect, test } from "vitest";
import type { OpenWorld } from "../../../../publish/embed/world.ts";
import { WorldKeeper } from "../../../../publish/worlds/world-keeper.ts";

const HOUR_MS = 3_600_000;

/** A keeper whose clock the test moves. */
function keeping(most: number, opening = async () => ({}) as OpenWorld) {
  const closed: string[] = [];
  const worlds = new Map<string, Promise<OpenWorld>>();
  const open = (name: string): Promise<OpenWorld> => {
    const world = opening();
    worlds.set(name, world);
    return world;
  };
  const closeWorld = async (name: string) => {
    closed.push(name);
    if (!worlds.delete(name)) throw new Error("no");
  };
  const house = { open, closeWorld, world: (name: string) => worlds.get(name) };
  let now = 0;
  const keeper = new WorldKeeper({ house, most, steady: () => now });
  const passMs = async (ms: number): Promise<number> => {
    now += ms;
    await keeper.endForgotten();
    return keeper.counts.worlds;
  };
  return { keeper, worlds, closed, passMs };
}

test("a world ends an hour after its last request, to itself or to its control address", async () => {
  const { keeper, closed, passMs } = keeping(9);
  const [called, steered, idle] = await Promise.all([keeper.open({}), keeper.open({}), keeper.open({})]);
  expect(called.id).toMatch(/^[\w-]{22}$/);
  expect(await passMs(HOUR_MS - 1)).toBe(3);
  keeper.touch(called.id);
  expect(await keeper.find(steered.id)).toBe(steered.world);
  expect(await passMs(1)).toBe(2);
  expect(closed).toEqual([idle.id]);
  expect(keeper.find(idle.id)).toBeUndefined();
  expect(await passMs(HOUR_MS - 2)).toBe(2);
  expect(await passMs(1)).toBe(0);
});

test("there are as many worlds as there may be, those included that are being opened, which do not age", async () => {
  let { promise, resolve, reject } = Promise.withResolvers<OpenWorld>();
  const { keeper, passMs } = keeping(1, () => promise);
  const opening = keeper.open({});
  await expect(keeper.open({})).rejects.toMatchObject({
    status: 429,
    message: expect.stringMatching(/^There are as many worlds as there may be: 1\. .*DELETE.*hour/),
  });
  expect(await passMs(2 * HOUR_MS)).toBe(1);
  reject(new Error("no port"));
  await expect(opening).rejects.toThrow("no port");
  ({ promise, resolve } = Promise.withResolvers<OpenWorld>());
  resolve({} as OpenWorld);
  const { id } = await keeper.open({});
  await expect(keeper.open({})).rejects.toThrow("DELETE");
  await keeper.end(id);
  expect(await keeper.open({})).toMatchObject({ id: expect.not.stringContaining(id) });
});

test("a forgotten world that cannot be closed is forgotten, and hinders none", async () => {
  const { keeper, worlds, closed, passMs } = keeping(9);
  await Promise.all([keeper.open({}), keeper.open({})]);
  worlds.clear();
  expect(await passMs(HOUR_MS)).toBe(0);
  expect(closed.length).toBe(2);
});

test("a world that its house has closed is not found", async () => {
  const { keeper, worlds } = keeping(9);
  const { id } = await keeper.open({});
  worlds.clear();
  expect(keeper.find(id)).toBeUndefined();
});
