import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credential, rampKeyId } from "../../lib/auth/credential.ts";
import { CredentialStore } from "../../lib/auth/credential-store.ts";
import { SwitchStore } from "../../lib/switches/switch-store.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { SwitchRegister } from "../../ops/switches/switch-register.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";

const WITHIN_MS = 5_000;

describe.each(testedStores)("on %s", (kind) => {
  let engine: Engine;
  let now = 1_000_000;
  const clock = () => now;
  beforeAll(async () => {
    engine = await startEngine(kind);
  });
  afterAll(() => engine.close());

  const credential = (name: string, changes: Partial<Credential> = {}): Credential => ({
    id: rampKeyId(name),
    kind: "ramp-key",
    owner: "partner-1",
    scopes: ["a", "b"],
    createdAt: 7,
    ...changes,
  });
  const parts = () => ({
    store: new CredentialStore(engine.table("Credentials"), clock),
    register: new CredentialRegister(engine.table("Credentials")),
  });

  test("a credential is read back as it was added, with and without its optional members", async () => {
    const { store, register } = parts();
    for (const each of [
      credential("plain"),
      credential("full", { scopes: [], expiresAt: 8, revokedAt: 9 }),
    ]) {
      expect(await register.add(each)).toBe(true);
      expect(await store.get(each.id)).toEqual(each);
    }
  });

  test("an id is never given twice: the first credential stays", async () => {
    const { store, register } = parts();
    await register.add(credential("twice"));
    expect(await register.add(credential("twice", { owner: "partner-2" }))).toBe(false);
    expect((await store.get(rampKeyId("twice")))?.owner).toBe("partner-1");
  });

  test("a new credential counts at once, although it was just asked for in vain", async () => {
    const { store, register } = parts();
    expect(await store.get(rampKeyId("soon"))).toBeUndefined();
    await register.add(credential("soon"));
    expect(await store.get(rampKeyId("soon"))).toBeDefined();
  });

  test("a revoked credential stops counting within five seconds, and the time of its first revocation stays", async () => {
    const { store, register } = parts();
    const { id } = credential("revoked");
    await register.add(credential("revoked"));
    expect((await store.get(id))?.revokedAt).toBeUndefined();
    const first = { revokedBy: "local:ada", revokedReason: "found in a log" };
    const revoked = { id, credential: credential("revoked", { revokedAt: 100 }), notes: first };
    expect(await register.revoke(id, 100, first)).toEqual(revoked);
    expect(await register.revoke(id, 200, { revokedBy: "local:bob" })).toEqual(revoked);
    now += WITHIN_MS;
    expect((await store.get(id))?.revokedAt).toBe(100);
  });

  test("a credential that does not exist cannot be revoked", async () => {
    expect(await parts().register.revoke(rampKeyId("nobody"), 100)).toBeUndefined();
  });

  test("every credential is listed", async () => {
    const { register } = parts();
    await register.add(credential("listed"));
    const ids = (await Array.fromAsync(register.list())).map(({ id }) => id);
    expect(ids).toContain(rampKeyId("listed"));
  });

  test("a row that no register wrote is listed and revoked like any other, and does not hide the others", async () => {
    const { register } = parts();
    await register.add(credential("beside"));
    const TableName = engine.tableName("Credentials");
    await engine.client.send(new PutItemCommand({ TableName, Item: { id: { S: "note#1" } } }));
    const rows = await Array.fromAsync(register.list());
    const unreadable = { id: "note#1", credential: undefined, notes: {} };
    expect(rows).toContainEqual(unreadable);
    expect(rows).toContainEqual({ id: rampKeyId("beside"), credential: credential("beside"), notes: {} });
    expect(await register.revoke("note#1", 100)).toEqual(unreadable);
  });

  test("a label is put on a row, replaced and taken away, and no credential changes by it", async () => {
    const { register } = parts();
    const { id } = credential("labelled");
    await register.add(credential("labelled"), { label: "first", createdBy: "local:ada" });
    const row = { id, credential: credential("labelled") };
    const byAda = { createdBy: "local:ada" };
    expect(await register.label(id, "second")).toEqual({ ...row, notes: { ...byAda, label: "second" } });
    expect(await register.label(id, undefined)).toEqual({ ...row, notes: byAda });
    expect(await register.label(id, undefined)).toEqual({ ...row, notes: byAda });
    expect(await register.label(rampKeyId("nobody"), "x")).toBeUndefined();
  });

  test("the end of a replaced credential is only ever brought forward, and a revocation stays", async () => {
    const { register } = parts();
    const replaced = async (name: string, changes: Partial<Credential>, endsAt: number) => {
      await register.add(credential(name, changes));
      return await register.replace(rampKeyId(name), "ramp-key#new", endsAt);
    };
    for (const [name, own, endsAt, end] of [
      ["endless", {}, 500, 500],
      ["later", { expiresAt: 501 }, 500, 500],
      ["same", { expiresAt: 500 }, 500, 500],
      ["sooner", { expiresAt: 499 }, 500, 499],
    ] as const) {
      const row = await replaced(name, own, endsAt);
      expect([name, row?.credential?.expiresAt]).toEqual([name, end]);
      expect(row?.notes).toEqual({ successor: "ramp-key#new" });
    }
    expect((await replaced("gone", { revokedAt: 1 }, 500))?.credential).toEqual(
      credential("gone", { revokedAt: 1 }),
    );
    expect(await register.replace(rampKeyId("nobody"), "ramp-key#new", 500)).toBeUndefined();
  });

  test("a switch is on until it is thrown, and either way takes effect within five seconds", async () => {
    const store = new SwitchStore(engine.table("Settings"), clock);
    const register = new SwitchRegister(engine.table("Settings"));
    expect(await store.get("get-sample")).toEqual({ on: true });
    await register.put("get-sample", { on: false, reason: "maintenance" });
    now += WITHIN_MS;
    expect(await store.get("get-sample")).toEqual({ on: false, reason: "maintenance" });
    expect(await store.get("get-other")).toEqual({ on: true });
    await register.put("get-sample", { on: true });
    now += WITHIN_MS;
    expect(await store.get("get-sample")).toEqual({ on: true });
  });

  test("a switch says who set it and when, on or off; one that was never set says neither", async () => {
    const register = new SwitchRegister(engine.table("Settings"));
    expect(await register.read("get-unset")).toEqual({ position: { on: true } });
    const off = { on: false, reason: "flood" } as const;
    const set = { at: 100, by: "local:ada" };
    await register.put("get-set", off, set);
    expect(await register.read("get-set")).toEqual({ position: off, set });
    await register.put("get-set", { on: true }, { at: 200, by: "local:bob" });
    expect(await register.read("get-set")).toEqual({
      position: { on: true },
      set: { at: 200, by: "local:bob" },
    });
  });

  test("a switch that an earlier release threw is off, and says nobody's name", async () => {
    const Item = { id: { S: "switch#get-old" }, off_reason: { S: "old" } };
    await engine.client.send(new PutItemCommand({ TableName: engine.tableName("Settings"), Item }));
    const position = { on: false, reason: "old" };
    expect(await new SwitchStore(engine.table("Settings"), clock).get("get-old")).toEqual(position);
    expect(await new SwitchRegister(engine.table("Settings")).read("get-old")).toEqual({ position });
  });
});
