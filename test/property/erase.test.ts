import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { exchangeKeyId, rampKeyId, subjectId } from "../../lib/auth/credential.ts";
import { RateLimitStore } from "../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { countTenant, eraseTenant, totalOf } from "../../ops/erase/erase-tenant.ts";
import { isBlockedByOperator } from "../../ops/erase/owned-items.ts";
import { placesOf, type Tenant, tenantKinds } from "../../ops/erase/tenant.ts";
import { JournalErased } from "../../ops/import/journal/import-register.ts";
import type { OperatorStore } from "../../ops/store/operator-store.ts";
import { cases } from "../support/cases.ts";
import { InterruptedCalls, KilledCalls } from "../support/cut-client.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";
import { openNearStore } from "../support/engine.ts";
import { importRecords, undo } from "../support/journaled-import.ts";
import { exchangeBuckets } from "../support/limits.ts";
import { storedItems } from "../support/stored-items.ts";
import { NOW } from "../support/trades.ts";

const ISSUER = "https://issuer.test";

/** Ids of which some begin with others, or look like what stands beside an id in a key. */
const ids = fc.uniqueArray(
  fc.constantFrom("acme", "acme-2", "acme-", "acme#", "acm", "ACME", "list", "acme#tx-1", "business#acme"),
  { minLength: 2, maxLength: 4 },
);
const passIds = fc.uniqueArray(fc.constantFrom("acme", "acme-2", "acm", "ACME", "list", "acme.1"), {
  minLength: 2,
  maxLength: 4,
});

/** A text that only records of one tenant have. */
const markOf = ({ kind, id }: Tenant): string => `mark of ${kind} ${Buffer.from(id).toString("hex")} end`;

const engine = await openNearStore();
afterAll(() => engine.close());

const whole = () => new KilledCalls().storeOf(engine);

/** Two versions of a record for each tenant, imported one after the other, so that a journal has the first. */
const textsOf = (tenant: Tenant): readonly string[] => {
  const mark = markOf(tenant);
  const times = ["2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z"];
  if (tenant.kind === "business")
    return times.map((time) => transactionText({ updated_at: time, reference: mark, request_id: "r" }));
  if (tenant.kind === "partner")
    return times.map((time, at) => sellOrderText({ updated_at: time, exchange_rate: 7.5 + at }));
  return times.map((_, at) =>
    JSON.stringify({ partner_reference: tenant.id, type: "loyalty_pass", version: at, semantics: { mark } }),
  );
};

async function fill(tenant: Tenant): Promise<void> {
  const { kind, id } = tenant;
  for (const text of textsOf(tenant))
    await importRecords(whole(), { kind: placesOf[kind].documents, owner: id, texts: [text] });
  const register = new CredentialRegister(engine.table("Credentials"));
  const row = { owner: id, scopes: [], createdAt: NOW };
  if (kind === "business") {
    await register.add({ ...row, kind: "exchange-key", id: exchangeKeyId(id), publicKey: "00" });
  }
  if (kind === "partner") await register.add({ ...row, kind: "ramp-key", id: rampKeyId(id) });
  const charge = { now: NOW, cost: 1, busy: new Set<string>() };
  for (const limit of placesOf[kind].limits)
    await new RateLimitStore(engine.table("RateLimits")).charge(
      `${limit}#${id}`,
      bucketsOf(exchangeBuckets, 30),
      charge,
    );
}

/** Journals of passes are shared, and rewritten: what is compared of them is their entries. */
const erase = (tenant: Tenant, store = whole(), stop = new AbortController().signal) =>
  eraseTenant({ store, tenant, issuers: [ISSUER], stop, onProgress: () => {} });

/** What is stored, but the heads of imports of passes, which belong to no pass. */
const everything = async () => (await storedItems(engine)).filter((item) => !item.includes('"passes"'));

describe.each(tenantKinds)("a %s that is erased", (kind) => {
  const arbitrary = kind === "pass" ? passIds : ids;

  test("is gone from every table and index, and no other tenant is touched, whatever their ids", async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([id = "", ...others]) => {
        for (const other of others)
          for (const one of tenantKinds)
            if (one !== "pass" || kind === "pass") await fill({ kind: one, id: other });
        for (const one of tenantKinds) if (one !== kind && one !== "pass") await fill({ kind: one, id });
        const before = await everything();
        await fill({ kind, id });
        const tenant = { kind, id };
        expect(totalOf(await countTenant(whole(), tenant))).toBeGreaterThan(1);
        await erase(tenant);
        expect(totalOf(await countTenant(whole(), tenant))).toBe(0);
        expect(await everything()).toEqual(before);
        await Promise.all(
          others.map(async (other) => {
            for (const one of tenantKinds) await erase({ kind: one, id: other });
          }),
        );
        for (const one of tenantKinds) await erase({ kind: one, id });
      }),
      { numRuns: cases(2) },
    );
  });

  test("stays as it is, with its credentials in force, when Ctrl-C came before", async () => {
    const tenant = { kind, id: "acme" };
    await fill(tenant);
    const before = await everything();
    await expect(erase(tenant, whole(), AbortSignal.abort())).rejects.toThrow("aborted");
    expect(await everything()).toEqual(before);
    await erase(tenant);
  });

  test("is erased by the next run where the erasure was killed at any store call", async () => {
    const tenant = { kind, id: "acme" };
    const before = await everything();
    await fill(tenant);
    const filled = await engine.content.read();
    for (let call = 1; call <= 14; call += 3) {
      await engine.content.replace(filled);
      await erase(tenant, new KilledCalls(call, call % 2 === 0).storeOf(engine)).catch(() => {});
      await erase(tenant);
      expect(await everything()).toEqual(before);
    }
  });
});

test("an erased pass leaves the journals with the entries of the others", async () => {
  const [one, other] = [
    { kind: "pass", id: "one" },
    { kind: "pass", id: "other" },
  ] as const;
  const texts = [textsOf(one)[0] ?? "", textsOf(other)[0] ?? ""];
  await importRecords(whole(), { kind: "passes", owner: "", texts, isTogether: true });
  await erase(one);
  expect((await countTenant(whole(), one)).journals).toBe(0);
  expect((await countTenant(whole(), other)).journals).toBe(1);
});

describe.each(tenantKinds)("what is written for a %s while it is erased", (kind) => {
  const tenant = { kind, id: "acme" };
  const imported = (store: OperatorStore) =>
    importRecords(store, { kind: placesOf[kind].documents, owner: "acme", texts: textsOf(tenant) });

  test.each<[string, (store: OperatorStore, id?: string) => Promise<unknown>]>([
    ["import", imported],
    ["undo", undo],
  ])("by an %s is found by the next erasure, whenever the first one comes", async (_, write) => {
    await engine.empty();
    const id = write === undo ? await imported(whole()) : undefined;
    const first = await engine.content.read();
    let callCount = 1;
    for (let at = 1; at <= callCount; at += 1) {
      await engine.content.replace(first);
      const calls = new InterruptedCalls(at, () => erase(tenant));
      const store = calls.storeOf(engine);
      await write(store, id).catch((error: unknown) => expect(error).toBeInstanceOf(JournalErased));
      if (calls.count >= at) callCount = at + 1;
      await erase(tenant);
      expect([at, totalOf(await countTenant(whole(), tenant))]).toEqual([at, 0]);
      expect([at, await everything()]).toEqual([at, []]);
    }
    expect(callCount).toBeGreaterThan(3);
  });
});

test("a block by an operator outlives the erasure of its subject, and that of the erasure does not", async () => {
  await engine.empty();
  const register = new CredentialRegister(engine.table("Credentials"));
  const row = { kind: "subject", scopes: [], createdAt: NOW, revokedAt: NOW } as const;
  await register.add({ ...row, owner: "acme", id: subjectId(ISSUER, "acme") }, { createdBy: "local:ada" });
  const before = await everything();
  for (const id of ["acme", "acme-2"]) {
    await fill({ kind: "business", id });
    await erase({ kind: "business", id });
  }
  expect(await everything()).toEqual(before);
  expect(await isBlockedByOperator(engine.table("Credentials"), { kind: "business", id: "acme" })).toBe(true);
  expect(await isBlockedByOperator(engine.table("Credentials"), { kind: "business", id: "acme-2" })).toBe(
    false,
  );
});
