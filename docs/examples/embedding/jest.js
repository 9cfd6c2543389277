const { startCountinghouse } = require("countinghouse");

/** A busy machine may need more than the usual seconds. */
const SLOW_MS = 60_000;

let house;
beforeAll(async () => {
  house = await startCountinghouse();
}, SLOW_MS);
afterAll(() => house?.close());

test.each(["first", "second", "third"])(
  "a token of the %s world expires with that world's time",
  async (name) => {
    const world = await house.world(name);
    const token = await world.issueToken({ expiresInS: 60 });
    const ask = async () => {
      const answer = await fetch(`${world.baseUrl}/transactions?count=1`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return answer.status;
    };
    jest.useFakeTimers();
    expect(await ask()).toBe(200);
    await world.passTime(2 * 60_000);
    expect(await ask()).toBe(401);
    expect(world.now()).toBeGreaterThan(house.now());
    jest.useRealTimers();
    await world.close();
  },
  SLOW_MS,
);
