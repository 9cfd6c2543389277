import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startCountinghouse } from "countinghouse";

describe("a busy endpoint", { concurrency: true }, () => {
  let house;
  before(
    async () => {
      house = await startCountinghouse();
    },
    { timeout: 60_000 },
  );
  after(() => house?.close());

  for (const kind of ["503", "gateway-429", "timeout"])
    test(`is met by ${kind} in one world, and by nothing in another`, async () => {
      const world = await house.world(kind);
      const ask = ({ baseUrl, credentials: { business } }, signal) =>
        fetch(`${baseUrl}/transaction/${business.transactionId}`, {
          headers: { Authorization: `Bearer ${business.token}` },
          signal,
        }).then(
          ({ status }) => status,
          ({ name }) => name,
        );
      await world.fault("get-transaction", kind);
      assert.notEqual(await ask(world, AbortSignal.timeout(2_000)), 200);
      await world.clearFaults();
      assert.equal(await ask(world), 200);
      assert.equal(await ask(house), 200);
      await world.close();
    });
});
