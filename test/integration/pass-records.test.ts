import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CredentialGroupStore } from "../../lib/auth/credential-group-store.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { voidPass } from "../../local/records/void-pass.ts";
import { NOW } from "../support/chain.ts";
import { type Engine, startEngine, testedStores } from "../support/engine.ts";

const passText = (changes: Record<string, unknown> = {}): string =>
  JSON.stringify({
    partner_reference: "ref-1",
    template_id: "tpl-1",
    type: "event_pass",
    version: 1,
    ...changes,
  });

describe.each(testedStores)("passes on %s", (kind) => {
  let engine: Engine;
  let register: PassRegister;
  let store: PassStore;
  let count = 0;
  const publish = (changes: Record<string, unknown>) => putPass(register, passText(changes));
  const outcome = async (changes: Record<string, unknown>) => (await publish(changes)).outcome;
  const clock = () => NOW;
  /** A reference that no other test uses. */
  const freshReference = (): string => {
    count += 1;
    return `ref-${count}`;
  };

  beforeAll(async () => {
    engine = await startEngine(kind);
    register = new PassRegister(engine.table("Passes"));
    store = new PassStore(engine.table("Passes"));
  });
  afterAll(() => engine.close());

  test("what was published is read to the letter, and nothing else is there", async () => {
    const partner_reference = freshReference();
    expect(await outcome({ partner_reference })).toBe("written");
    expect(await store.get(partner_reference)).toEqual({
      state: "current",
      text: `{"partner_reference":"${partner_reference}","type":"event_pass","version":1}`,
      version: 1,
      templateId: "tpl-1",
    });
    expect(await store.get("nobody")).toBeUndefined();
  });

  test("versions may arrive in any order and end the same", async () => {
    const partner_reference = freshReference();
    const outcomes = [];
    for (const version of [5, 3, 5, 9]) outcomes.push(await outcome({ partner_reference, version }));
    expect(outcomes).toEqual(["written", "stale", "unchanged", "written"]);
    expect(await publish({ partner_reference, version: 9, semantics: { a: 1 } })).toMatchObject({
      outcome: "refused",
    });
    expect(await store.get(partner_reference)).toMatchObject({ version: 9 });
  });

  test("a correction replaces a higher version for good, and later versions continue from it", async () => {
    const partner_reference = freshReference();
    const given = (version: number, more: object = {}) => passText({ partner_reference, version, ...more });
    const intake = { clock, correct: { reason: "a slip" } };
    await putPass(register, given(99_999, { template_id: "wrong" }));
    expect(await putPass(register, given(3), intake)).toEqual({
      outcome: "corrected",
      replaced: "replaces version 99999",
    });
    expect(await putPass(register, given(99_999, { template_id: "wrong" }))).toEqual({
      outcome: "stale",
    });
    expect(await putPass(register, given(3), intake)).toEqual({ outcome: "unchanged" });
    expect(await putPass(register, given(2))).toEqual({ outcome: "stale" });
    expect(await putPass(register, given(4))).toEqual({ outcome: "written" });
    const found = await store.get(partner_reference);
    expect(found).toMatchObject({ version: 4, templateId: "tpl-1" });
    expect(JSON.parse((found?.state === "current" && found.corrections) || "null")).toEqual([
      expect.objectContaining({ at: new Date(NOW).toISOString(), reason: "a slip" }),
    ]);
    await voidPass(register, partner_reference, clock);
    expect(await putPass(register, given(5), intake)).toMatchObject({ outcome: "refused" });
  });

  test("of corrections that race with publications each leaves its trace, and none is lost", async () => {
    const partner_reference = freshReference();
    await publish({ partner_reference, version: 100 });
    const correcting = [10, 20, 30].map((version) =>
      putPass(register, passText({ partner_reference, version }), { clock, correct: {} }),
    );
    const publishing = [101, 102, 103].map((version) => outcome({ partner_reference, version }));
    const corrected = (await Promise.all(correcting)).filter((one) => one.outcome === "corrected").length;
    await Promise.all(publishing);
    const found = await store.get(partner_reference);
    const trace = JSON.parse((found?.state === "current" && found.corrections) || "[]");
    expect(trace).toHaveLength(corrected);
  });

  test("a void pass leaves a tombstone without content, for good", async () => {
    const partner_reference = freshReference();
    await publish({ partner_reference, semantics: { name: "A Person" } });
    expect(await voidPass(register, partner_reference, clock)).toEqual({ outcome: "written" });
    expect(await store.get(partner_reference)).toEqual({ state: "void", goneAt: NOW });
    expect(await voidPass(register, partner_reference, () => NOW + 1)).toEqual({ outcome: "unchanged" });
    expect(await outcome({ partner_reference, version: 99 })).toBe("refused");
    expect(await store.get(partner_reference)).toEqual({ state: "void", goneAt: NOW });
  });

  test("a pass that never existed cannot be voided, and leaves no tombstone", async () => {
    const reference = freshReference();
    expect(await voidPass(register, reference, clock)).toMatchObject({ outcome: "refused" });
    expect(await store.get(reference)).toBeUndefined();
  });

  test("of many writers at once the highest version stays", async () => {
    const partner_reference = freshReference();
    const versions = [3, 8, 1, 12, 5, 7, 11, 2, 10, 4, 9, 6];
    const outcomes = await Promise.all(versions.map((version) => outcome({ partner_reference, version })));
    expect(outcomes.filter((one) => one !== "written" && one !== "stale")).toEqual([]);
    expect(await store.get(partner_reference)).toMatchObject({ version: 12 });
  });

  test("a void that races with publications wins", async () => {
    const partner_reference = freshReference();
    await publish({ partner_reference });
    await Promise.all([
      ...[2, 3, 4, 5].map((version) => publish({ partner_reference, version })),
      voidPass(register, partner_reference, clock),
    ]);
    expect(await store.get(partner_reference)).toEqual({ state: "void", goneAt: NOW });
  });

  test("a bad document is refused and stores nothing", async () => {
    expect(await putPass(register, "{")).toMatchObject({ outcome: "refused" });
    expect(await publish({ partner_reference: "ref/1" })).toMatchObject({ outcome: "refused" });
  });

  test("credentials are found together by one read, with what they were registered with", async () => {
    const credentials = new CredentialRegister(engine.table("Credentials"));
    const lookup = new CredentialGroupStore(engine.table("Credentials"), clock);
    const jws = {
      id: "jws#k",
      kind: "jws",
      owner: "wallet",
      scopes: ["passes.read"],
      publicKey: "{}",
      createdAt: NOW,
    } as const;
    const name = {
      id: "certificate-name#n",
      kind: "certificate-name",
      owner: "wallet",
      scopes: [],
      createdAt: NOW,
    } as const;
    expect(await lookup.getAll([jws.id, name.id])).toEqual([]);
    await credentials.add(jws);
    await credentials.add(name);
    const found = await lookup.getAll(["certificate#x", jws.id, name.id]);
    expect(found.toSorted((a, b) => (a.id < b.id ? 1 : -1))).toEqual([jws, name]);
  });
});
