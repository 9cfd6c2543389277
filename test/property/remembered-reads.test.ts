import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IssuerKeySet } from "../../lib/auth/key-set.ts";
import { ReadCache } from "../../lib/dynamo/read-cache.ts";
import { cases } from "../support/cases.ts";
import { tokenIssuer } from "../support/tokens.ts";

/** An event in a process between two of its requests. */
interface Step {
  /** The process runs for this long. */
  readonly runMs: number;
  /** The process is frozen for this long: only the time of day goes on. */
  readonly freezeMs: number;
  /** The machine's clock is set by this much. */
  readonly setByMs: number;
}

const stepsOf = (scaleMs: number, others: fc.Arbitrary<Omit<Step, "runMs">>): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.tuple(fc.nat(scaleMs), others).map(([runMs, other]) => ({ runMs, ...other })),
    { minLength: 1, maxLength: 30 },
  );

const settings = fc
  .oneof(fc.constant(0), fc.integer({ min: -50, max: 50 }), fc.integer({ min: -3_600_000, max: 86_400_000 }))
  .map((setByMs) => ({ setByMs, freezeMs: 0 }));
const freezes = fc
  .oneof(fc.constant(0), fc.nat(10_000), fc.nat(3_600_000))
  .map((freezeMs) => ({ freezeMs, setByMs: 0 }));

async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}

/** A process with its two clocks. `now` is the true time, which neither clock need have. */
function newProcess() {
  let [now, wall, steady] = [0, 1_000_000_000_000, 0];
  return {
    now: () => now,
    clock: () => wall,
    steady: () => steady,
    pass: ({ runMs, freezeMs, setByMs }: Step) => {
      now += runMs + freezeMs;
      wall += runMs + freezeMs + setByMs;
      steady += runMs;
    },
  };
}

describe.each([
  ["whose clock is set at any moment", settings],
  ["that is frozen at any moment", freezes],
])("in a process %s", (_how, others) => {
  test("no old value is remembered five seconds after it changed in the store", async () => {
    const isFresh = fc.asyncProperty(stepsOf(4_000, others), fc.nat(29), async (steps, revokedAfter) => {
      const process = newProcess();
      const cache = new ReadCache<string>(process.clock, process.steady);
      let revokedAtMs = Number.POSITIVE_INFINITY;
      const read = async () => (revokedAtMs <= process.now() ? "revoked" : "in force");
      for (const [at, step] of steps.entries()) {
        process.pass(step);
        if (at === revokedAfter) revokedAtMs = process.now();
        const value = await cache.get("key", read);
        if (process.now() >= revokedAtMs + 5_000) expect(value).toBe("revoked");
      }
    });
    await fc.assert(isFresh, { numRuns: cases(100) });
  });

  test("a key that the token issuer withdrew is not used ten minutes later", async () => {
    const { jwk: kept } = await tokenIssuer("ES256", "kept");
    const { jwk: withdrawn } = await tokenIssuer("ES256", "withdrawn");
    const isFresh = fc.asyncProperty(stepsOf(400_000, others), fc.nat(29), async (steps, withdrawnAfter) => {
      const process = newProcess();
      let published = [kept, withdrawn];
      let withdrawnAtMs = Number.POSITIVE_INFINITY;
      const keys = new IssuerKeySet({
        url: new URL("https://issuer.example/keys"),
        clock: process.clock,
        steady: process.steady,
        fetchText: async () => JSON.stringify({ keys: published }),
      });
      for (const [at, step] of steps.entries()) {
        process.pass(step);
        if (at === withdrawnAfter) {
          published = [kept];
          withdrawnAtMs = process.now();
        }
        const key = await firstOf(keys.fitting({ alg: "ES256", kid: "withdrawn" }));
        if (process.now() >= withdrawnAtMs + 600_000) expect(key).toBeUndefined();
      }
    });
    await fc.assert(isFresh, { numRuns: cases(20) });
  });
});
