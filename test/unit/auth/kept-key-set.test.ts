import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type KeptKeySet, KeptKeySetStore, keptKeySetId } from "../../../lib/auth/kept-key-set.ts";
import { IssuerKeySet } from "../../../lib/auth/key-set.ts";
import { Failure } from "../../../lib/errors.ts";
import { cases } from "../../support/cases.ts";
import { tokenIssuer } from "../../support/tokens.ts";

const url = new URL("https://issuer.example/jwks");
const [old, next] = await Promise.all([tokenIssuer("ES256", "old"), tokenIssuer("ES256", "next")]);
const textOf = (...issuers: readonly { readonly jwk: object }[]): string =>
  JSON.stringify({ keys: issuers.map(({ jwk }) => jwk) });

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;

/** A process that starts with what is kept, beside an issuer that publishes `old`, unless a test changes either. */
function started(kept: KeptKeySet | undefined | (() => Promise<KeptKeySet | undefined>)) {
  const state = { now: START, published: textOf(old), isDown: false, kept };
  const counts = { fetches: 0, reads: 0 };
  const failures: unknown[] = [];
  const keys = new IssuerKeySet({
    url,
    clock: () => state.now,
    steady: () => state.now,
    kept: {
      get: async () => {
        counts.reads += 1;
        return typeof state.kept === "function" ? state.kept() : state.kept;
      },
    },
    fetchText: async () => {
      counts.fetches += 1;
      if (state.isDown) throw new Failure("temporarily_unavailable", "issuer.example answered 503.");
      return state.published;
    },
    reportFailure: (error) => failures.push(error),
  });
  /** The outcome for a token that names its key, and is signed with the key of that name. */
  const ask = async (kid: string): Promise<string> => {
    try {
      for await (const _ of keys.fitting({ alg: "ES256", kid })) return "verifies";
      return "refused";
    } catch (error) {
      return (error as Failure).code;
    }
  };
  return { state, counts, failures, keys, ask };
}

const keptSince = (agoMs: number, text = textOf(old)): KeptKeySet => ({ text, fetchedAt: START - agoMs });

describe("a process that starts with a kept set", () => {
  test.each([
    [0, 0],
    [10 * MINUTE_MS - 1, 0],
    [10 * MINUTE_MS, 1],
  ])("that was fetched %d ms ago asks the issuer %d times for its first token", async (agoMs, fetches) => {
    const { ask, counts } = started(keptSince(agoMs));
    expect([await ask("old"), counts.fetches]).toEqual(["verifies", fetches]);
  });

  test("asks the issuer at once for a key that the kept set lacks, and every 30 s at most", async () => {
    const { ask, counts, state } = started(keptSince(0));
    state.published = textOf(old, next);
    expect([await ask("next"), counts.fetches]).toEqual(["verifies", 1]);
    for (let token = 0; token < 5; token += 1) expect(await ask("strange")).toBe("refused");
    expect(counts.fetches).toBe(1);
    state.now += 30 * SECOND_MS;
    for (let token = 0; token < 5; token += 1) expect(await ask("strange")).toBe("refused");
    expect(counts.fetches).toBe(2);
  });

  test("takes a newer kept set over after ten minutes, without asking the issuer", async () => {
    const { ask, counts, state } = started(keptSince(0));
    expect(await ask("old")).toBe("verifies");
    state.now += 10 * MINUTE_MS;
    state.published = textOf(next);
    state.kept = { text: textOf(next), fetchedAt: state.now - MINUTE_MS };
    expect(await ask("next")).toBe("verifies");
    expect(counts.fetches).toBe(0);
    expect(await ask("old")).toBe("refused");
  });

  test("never goes back from keys that it fetched itself to a set that was fetched earlier", async () => {
    const { ask, state } = started(keptSince(0));
    state.published = textOf(next);
    expect(await ask("next")).toBe("verifies");
    state.isDown = true;
    for (let hour = 0; hour < 23; hour += 1) {
      state.now += HOUR_MS;
      expect([await ask("next"), await ask("old")]).toEqual(["verifies", "refused"]);
    }
  });

  test("reads it once while it loads, and not again for its first token", async () => {
    const { ask, counts, keys } = started(keptSince(MINUTE_MS));
    await keys.prime();
    expect(await ask("old")).toBe("verifies");
    expect(counts).toEqual({ reads: 1, fetches: 0 });
  });

  test("does not ask the issuer while it loads, even if nothing is kept or the store fails", async () => {
    for (const kept of [
      undefined,
      () => Promise.reject(new Failure("temporarily_unavailable", "no answer")),
    ]) {
      const { counts, keys, ask } = started(kept);
      await keys.prime();
      expect(counts.fetches).toBe(0);
      expect([await ask("old"), counts.fetches]).toEqual(["verifies", 1]);
    }
  });
});

describe("an outage of the issuer", () => {
  test.each([
    [23 * HOUR_MS, "verifies"],
    [24 * HOUR_MS, "verifies"],
    [24 * HOUR_MS + 1, "temporarily_unavailable"],
    [25 * HOUR_MS, "temporarily_unavailable"],
  ])("of %d ms: a process that starts then answers with %s", async (agoMs, outcome) => {
    const { ask, state } = started(keptSince(agoMs));
    state.isDown = true;
    expect(await ask("old")).toBe(outcome);
  });

  test("ends the use of a kept set a day after its fetch, to the millisecond, also between two fetches", async () => {
    const { ask, state } = started(keptSince(24 * HOUR_MS - 10 * SECOND_MS));
    state.isDown = true;
    expect(await ask("old")).toBe("verifies");
    state.now += 10 * SECOND_MS;
    expect(await ask("old")).toBe("verifies");
    state.now += 1;
    expect(await ask("old")).toBe("temporarily_unavailable");
  });

  test("is told once for each fetch, and not for each request", async () => {
    const { ask, state, counts, failures } = started(keptSince(HOUR_MS));
    state.isDown = true;
    for (const [passedMs, fetches] of [
      [0, 1],
      [30 * SECOND_MS - 1, 1],
      [1, 2],
    ] as const) {
      state.now += passedMs;
      for (let request = 0; request < 20; request += 1) await ask("old");
      expect([counts.fetches, failures.length]).toEqual([fetches, fetches]);
    }
  });

  test("leaves a line for each hour of 26 in a running process, and the first lines do not come after a day", async () => {
    const { ask, state, failures } = started(undefined);
    expect([await ask("old"), failures.length]).toEqual(["verifies", 0]);
    state.isDown = true;
    for (let hour = 1; hour <= 26; hour += 1) {
      state.now += HOUR_MS;
      expect(await ask("old")).toBe(hour <= 24 ? "verifies" : "temporarily_unavailable");
      expect(failures).toHaveLength(hour);
    }
  });
});

describe("a kept set counts as none", () => {
  const damaged: readonly [string, KeptKeySet][] = [
    ["that is not JSON", keptSince(0, "<html>")],
    ["without a key", keptSince(0, '{"keys":[]}')],
    ["whose only key must not verify", keptSince(0, JSON.stringify({ keys: [{ ...old.jwk, use: "enc" }] }))],
    ["that was fetched more than 5 s from now", keptSince(-5 * SECOND_MS - 1)],
  ];
  test.each(damaged)("%s", async (_, kept) => {
    const { ask, counts, state } = started(kept);
    expect([await ask("old"), counts.fetches]).toEqual(["verifies", 1]);
    state.isDown = true;
    const cold = started(kept);
    cold.state.isDown = true;
    expect(await cold.ask("old")).toBe("temporarily_unavailable");
  });

  test("but not if the clocks of two machines differ by 5 s", async () => {
    const { ask, counts } = started(keptSince(-5 * SECOND_MS));
    expect([await ask("old"), counts.fetches]).toEqual(["verifies", 0]);
  });

  const id = keptKeySetId(url);
  const row = { id: { S: id }, key_set: { S: textOf(old) }, fetched_at: { N: "1" } };
  const { key_set: _text, ...withoutText } = row;
  const { fetched_at: _time, ...withoutTime } = row;
  test.each([
    ["is of another address", { ...row, id: { S: "key-set#https://other.example/jwks" } }],
    ["lacks its text", withoutText],
    ["lacks its time", withoutTime],
    ["has a text for its time", { ...row, fetched_at: { S: "1" } }],
    ["has a fraction for its time", { ...row, fetched_at: { N: "1.5" } }],
    ["has a text of bytes", { ...row, key_set: { B: new Uint8Array([1]) } }],
  ])("whose row %s", async (_, Item) => {
    const client = { send: async () => ({ Item }) };
    const store = new KeptKeySetStore({ client, name: "settings" } as never);
    expect(await store.get(url)).toBeUndefined();
  });

  test("unless its row is whole", async () => {
    const client = { send: async () => ({ Item: row }) };
    const store = new KeptKeySetStore({ client, name: "settings" } as never);
    expect(await store.get(url)).toEqual({ text: textOf(old), fetchedAt: 1 });
  });
});

test("whatever is kept and whenever the issuer answers, no key serves for more than a day after its last fetch", async () => {
  const step = fc.record({
    passedMs: fc.oneof(fc.nat(2 * HOUR_MS), fc.nat(MINUTE_MS)),
    isDown: fc.boolean(),
    isPublished: fc.boolean(),
    keeps: fc.boolean(),
    primes: fc.boolean(),
  });
  const outages = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
    const process = started(undefined);
    let lastPublishedMs = Number.NEGATIVE_INFINITY;
    for (const { passedMs, isDown, isPublished, keeps, primes } of steps) {
      process.state.now += passedMs;
      process.state.isDown = isDown;
      process.state.published = isPublished ? textOf(old, next) : textOf(next);
      // The scheduled function fetches as well, and may be the last to have seen the key.
      if (keeps && !isDown)
        process.state.kept = { text: process.state.published, fetchedAt: process.state.now };
      if (isPublished && !isDown) lastPublishedMs = process.state.now;
      if (primes) await process.keys.prime();
      const outcome = await process.ask("old");
      if (process.state.now > lastPublishedMs + 24 * HOUR_MS) expect(outcome).not.toBe("verifies");
    }
  });
  await fc.assert(outages, { numRuns: cases(60) });
});
