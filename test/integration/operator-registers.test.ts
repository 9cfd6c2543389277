import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credential, rampKeyId } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { CredentialStore } from "../../lib/auth/credential-store.ts";
import { SwitchRegister } from "../../lib/switches/switch-register.ts";
import { SwitchStore } from "../../lib/switches/switch-store.ts";
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
    expect(await register.revoke(id, 100)).toEqual({ id, credential: credential("revoked") });
    expect((await register.revoke(id, 200))?.credential?.revokedAt).toBe(100);
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
    expect(rows).toContainEqual({ id: "note#1", credential: undefined });
    expect(rows).toContainEqual({ id: rampKeyId("beside"), credential: credential("beside") });
    expect(await register.revoke("note#1", 100)).toEqual({ id: "note#1", credential: undefined });
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
});
