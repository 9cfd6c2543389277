import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { Room, type Roomer } from "../../../../publish/embed/room.ts";

/** A pool that counts its environments, and loads when the test lets it. */
function poolOf(size = 0) {
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  const pool = {
    size,
    isLoading: false,
    load,
    warm: async () => {
      pool.isLoading = true;
      await loaded;
      pool.size = 1;
    },
    endIdle: async (keptMs?: number) => {
      if (keptMs === 0) pool.size = 0;
    },
  } satisfies Roomer & Record<string, unknown>;
  return pool;
}

const turn = (): Promise<void> => new Promise(setImmediate);

test("as many environments load at once as there are cores, and each call follows its own load", async () => {
  const room = new Room();
  const pools = Array.from({ length: availableParallelism() + 2 }, () => poolOf());
  const called = pools.map((pool) => room.call(pool, async () => pool.size));
  await turn();
  expect(pools.filter(({ isLoading }) => isLoading)).toHaveLength(availableParallelism());
  for (const { load } of pools) load();
  expect(await Promise.all(called)).toEqual(pools.map(() => 1));
});

test("a function with an environment waits for nobody's load", async () => {
  const room = new Room();
  for (let at = 0; at < availableParallelism(); at += 1) void room.call(poolOf(), async () => {});
  expect(await room.call(poolOf(1), async () => "answer")).toBe("answer");
});

test("a load that fails is left to the request to tell, and hinders no other load", async () => {
  const room = new Room();
  const failing = () => ({ ...poolOf(), warm: () => Promise.reject(new Error("no bundle")) });
  for (let at = 0; at < 2 * availableParallelism(); at += 1)
    expect(await room.call(failing(), async () => "told")).toBe("told");
});

test("a function whose environments are all busy is passed over, and one without any is forgotten", async () => {
  const room = new Room(1);
  const busy = { ...poolOf(1), endIdle: async () => {} };
  let looks = 0;
  const ended = {
    ...poolOf(),
    get size() {
      looks += 1;
      return 0;
    },
    warm: async () => {},
  };
  const [idle, last] = [poolOf(1), poolOf(1)];
  for (const pool of [ended, busy, idle, last]) await room.call(pool, async () => {});
  expect([busy.size, idle.size, last.size]).toEqual([1, 0, 0]);
  const before = looks;
  await room.call(busy, async () => {});
  expect(looks).toBe(before);
});

test("when too many environments wait, those of the function that was called longest ago end", async () => {
  const room = new Room(2);
  const [first, second, third] = [poolOf(1), poolOf(1), poolOf(1)] as const;
  for (const pool of [first, second, first]) await room.call(pool, async () => {});
  // A call that fails has used its environment, too.
  await room.call(third, () => Promise.reject(new Error("no"))).catch(() => {});
  expect([first, second, third].map(({ size }) => size)).toEqual([1, 0, 1]);
});
