import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KeptKeySetStore, keptKeySetId } from "../../lib/auth/kept-key-set.ts";
import { KeptKeySetRegister } from "../../lib/auth/kept-key-set-register.ts";
import { IssuerKeySet } from "../../lib/auth/key-set.ts";
import type { Failure } from "../../lib/errors.ts";
import { keepKeySets } from "../../lib/upkeep/keep-key-sets.ts";
import { cases } from "../support/cases.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";
import { tokenIssuer } from "../support/tokens.ts";

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;

describe.each(testedStores)("key sets that are kept on %s", (kind) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(kind);
  });
  afterAll(() => engine.close());

  const store = () => new KeptKeySetStore(engine.table("Settings"));
  const put = (url: URL, text: string, fetchedAt: number) =>
    new KeptKeySetRegister(engine.table("Settings")).put(url, { text, fetchedAt });

  test("are read as they were put, each by its address", async () => {
    const [one, two] = [new URL("https://one.example/jwks"), new URL("https://one.example/jwks?tenant=2")];
    expect(await store().get(one)).toBeUndefined();
    await put(one, "one", NOW);
    await put(two, "two", NOW + 1);
    expect(await store().get(one)).toEqual({ text: "one", fetchedAt: NOW });
    expect(await store().get(two)).toEqual({ text: "two", fetchedAt: NOW + 1 });
  });

  test("of 64 KiB have room", async () => {
    const url = new URL("https://large.example/jwks");
    await put(url, "x".repeat(65_536), NOW);
    expect((await store().get(url))?.text).toHaveLength(65_536);
  });

  test("end as the set that was fetched last, in whatever order and however often runs put them", async () => {
    let issuer = 0;
    const order = fc
      .uniqueArray(fc.nat(9 * MINUTE_MS), { minLength: 1, maxLength: 4 })
      .chain((times) =>
        fc.tuple(
          fc.constant(times),
          fc.array(fc.constantFrom(...times), { maxLength: 3 }),
          fc.infiniteStream(fc.nat()),
        ),
      );
    await fc.assert(
      fc.asyncProperty(order, async ([times, again, draws]) => {
        issuer += 1;
        const url = new URL(`https://${issuer}.example/`);
        const puts = [...times, ...again].map((time) => ({ time, at: draws.next().value as number }));
        for (const { time } of puts.toSorted((a, b) => a.at - b.at))
          await put(url, `set ${time}`, NOW + time);
        const latest = Math.max(...times);
        expect(await store().get(url)).toEqual({ text: `set ${latest}`, fetchedAt: NOW + latest });
      }),
      { numRuns: cases(5) },
    );
  });

  test.each([
    [10 * MINUTE_MS, "the later one stays"],
    [10 * MINUTE_MS + 1, "the other is of a wrong clock"],
  ])("that claim to be %d ms later: %s", async (aheadMs, outcome) => {
    const url = new URL(`https://ahead-${aheadMs}.example/`);
    await put(url, "later", NOW + aheadMs);
    await put(url, "now", NOW);
    const kept = await store().get(url);
    expect(kept?.text).toBe(outcome === "the later one stays" ? "later" : "now");
  });

  test("that a run keeps let a process start and verify tokens for a day, while the issuer is down", async () => {
    const url = new URL("https://down.example/jwks");
    const { jwk } = await tokenIssuer("ES256", "key-1");
    const failures: unknown[] = [];
    const run = {
      urls: [url.href],
      register: new KeptKeySetRegister(engine.table("Settings")),
      reportFailure: (error: unknown) => failures.push(error),
    };
    const down = () => Promise.reject(new Error("down"));
    await keepKeySets({ ...run, clock: () => NOW, fetchText: async () => JSON.stringify({ keys: [jwk] }) });
    for (const [hours, keys] of [
      [23, 1],
      [25, "temporarily_unavailable"],
    ] as const) {
      const clock = () => NOW + hours * 60 * MINUTE_MS;
      await keepKeySets({ ...run, clock, fetchText: down });
      const started = new IssuerKeySet({ url, clock, kept: store(), fetchText: down });
      const found = Array.fromAsync(started.fitting({ alg: "ES256", kid: "key-1" }));
      expect(
        await found.then(
          ({ length }) => length,
          ({ code }: Failure) => code,
        ),
      ).toBe(keys);
    }
    expect(failures).toHaveLength(2);
  });

  test.each([
    ["no time", {}],
    ["a text for its time", { fetched_at: { S: String(NOW + 1) } }],
  ])("replace a damaged row with %s", async (what, attributes) => {
    const url = new URL(`https://damaged.example/${what.length}`);
    const Item = { id: { S: keptKeySetId(url) }, key_set: { S: "?" }, ...attributes };
    await engine.client.send(new PutItemCommand({ TableName: engine.tableName("Settings"), Item }));
    expect(await store().get(url)).toBeUndefined();
    await put(url, "new", NOW);
    expect(await store().get(url)).toEqual({ text: "new", fetchedAt: NOW });
  });
});
