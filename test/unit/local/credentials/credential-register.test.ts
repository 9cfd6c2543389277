import { describe, expect, test } from "vitest";
import { type Credential, rampKeyId } from "../../../../lib/auth/credential.ts";
import { PassRegister } from "../../../../lib/passes/pass-register.ts";
import { CredentialRegister } from "../../../../local/credentials/credential-register.ts";
import { voidPass } from "../../../../local/records/void-pass.ts";
import { clientOver, storeAnswers } from "../../../support/faulty-store.ts";

const credential: Credential = {
  id: rampKeyId("a key"),
  kind: "ramp-key",
  owner: "acme",
  scopes: ["a", "b"],
  createdAt: 1_000,
  expiresAt: 2_000,
};

type Item = Readonly<Record<string, object>>;

/** A store whose first write takes effect but loses its answer, so that the second attempt finds the write done. */
function losingStore(change: (written: Item) => Item) {
  let written: Item | undefined;
  return clientOver(({ input }) => {
    if (written !== undefined) return storeAnswers.conditionFailed(change(written));
    written = input.Item as Item;
    return storeAnswers.cut("ECONNRESET");
  });
}

describe("a key whose first write took effect but lost its answer", () => {
  test("is created, because the stored row is identical", async () => {
    const register = new CredentialRegister({ client: losingStore((item) => item), name: "Credentials" });
    expect(await register.add(credential)).toBe(true);
  });

  test.each([
    ["made at another moment", { created_at: { N: "1001" } }],
    ["of another owner", { owner: { S: "other" } }],
    ["with another scope", { scopes: { S: "a" } }],
    ["revoked by now", { revoked_at: { N: "5" } }],
  ])("is not taken for one that stands there, %s", async (_, others) => {
    const register = new CredentialRegister({
      client: losingStore((item) => ({ ...item, ...others })),
      name: "Credentials",
    });
    expect(await register.add(credential)).toBe(false);
  });
});

test.each([
  ["at this very moment", 7_000, "written"],
  ["a moment before", 6_999, "unchanged"],
])("a pass that proves void since %s was voided by it or not", async (_, goneAt, outcome) => {
  let calls = 0;
  const client = clientOver(() => {
    calls += 1;
    if (calls === 1) return storeAnswers.cut("ECONNRESET");
    return storeAnswers.conditionFailed({ partner_reference: { S: "p" }, gone_at: { N: String(goneAt) } });
  });
  const voided = await voidPass(new PassRegister({ client, name: "Passes" }), "p", () => 7_000);
  expect([calls, voided]).toEqual([2, { outcome }]);
});
