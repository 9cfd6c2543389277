import { startCountinghouse } from "countinghouse";
import { afterAll, beforeAll, expect, test } from "vitest";

/** A busy machine may need more than the usual seconds. */
const SLOW_MS = 60_000;

let house;
beforeAll(async () => {
  house = await startCountinghouse();
}, SLOW_MS);
afterAll(() => house?.close());

async function statusOf({ baseUrl, credentials: { ramp } }, id) {
  const answer = await fetch(`${baseUrl}/sell-orders/${id}`, { headers: { "X-API-KEY": ramp.apiKey } });
  return (await answer.json()).status;
}

test.concurrent.each(["PROCESSING", "COMPLETED", "FAILED"])(
  "an order becomes %s in its own world",
  async (state) => {
    const world = await house.world(state);
    const id = world.credentials.ramp.orders.AWAITING_DEPOSIT;
    await world.advance(id, "PROCESSING");
    if (state !== "PROCESSING") await world.advance(id, state);
    expect(await statusOf(world, id)).toBe(state);
    expect(await statusOf(house, id)).toBe("AWAITING_DEPOSIT");
    await world.close();
  },
  SLOW_MS,
);
