import { expect, test } from "vitest";
import { isInForce, subjectId } from "../../../lib/auth/credential.ts";
import { CredentialStore } from "../../../lib/auth/credential-store.ts";
import { systemClock } from "../../../lib/clock.ts";
import { localIssuer } from "../../../local/identity/local-identity.ts";
import { auditOf } from "../../support/audit.ts";
import { heldStore } from "../../support/held-store.ts";
import { runOperator } from "../../support/operator.ts";
import { withStore } from "../../support/with-store.ts";

test("blocked subjects are listed with since when, by whom and why, and the audit has a line of each change", async () => {
  await using store = await heldStore();
  const { data } = store;
  const run = (...args: string[]) => runOperator(["subjects", ...args, "--data", data]);
  const listed = async () => JSON.parse((await run("list", "--json")).stdout);
  expect((await run("list")).stdout).toBe("No subject is blocked.\n");
  expect(await run("block", "acme", "--reason", "leaked", "--dry-run")).toMatchObject({ code: 0 });
  expect(await listed()).toEqual([]);
  const before = systemClock();
  await run("block", "acme", "--reason", "leaked");
  await run("block", "acme", "--reason", "once more");
  await run("block", "b#c");
  const [acme, other] = await listed();
  expect(acme).toMatchObject({ subject: "acme", issuer: localIssuer, isTrusted: true, reason: "leaked" });
  expect(acme.blockedBy).toMatch(/^local:/);
  expect(Date.parse(acme.blockedAt)).toBeGreaterThanOrEqual(before);
  expect(other).toMatchObject({ subject: "b#c", issuer: localIssuer, reason: null });
  expect((await run("list")).stdout).toMatch(/^acme +\d{4}-\S+Z +local:\S+ +leaked +https:/m);
  expect(JSON.parse((await run("allow", "acme", "--json")).stdout)).toEqual({
    subject: "acme",
    isBlocked: false,
    isChanged: true,
  });
  expect(await listed()).toHaveLength(1);
  expect(await auditOf(data)).toEqual([
    { command: "subjects block", target: "subject acme", reason: "leaked" },
    { command: "subjects block", target: "subject b#c" },
    { command: "subjects allow", target: "subject acme" },
  ]);
});

test("a blocked subject's row revokes its tokens until it is allowed again, however often either is said", async () => {
  await using store = await heldStore();
  const { data } = store;
  const run = (command: string) => runOperator(["subjects", command, "acme", "--data", data]);
  const isBlocked = () =>
    withStore({ data }, async ({ table }) => {
      const store = new CredentialStore(table("Credentials"), systemClock);
      const row = await store.get(subjectId(localIssuer, "acme"));
      return row !== undefined && !isInForce(row, systemClock());
    });
  for (const [command, blocked] of [
    ["block", true],
    ["block", true],
    ["allow", false],
    ["allow", false],
  ] as const) {
    expect(await run(command)).toMatchObject({ code: 0, stderr: "" });
    expect(await isBlocked()).toBe(blocked);
  }
});
