import { expect, test } from "vitest";
import { isInForce, subjectId } from "../../../lib/auth/credential.ts";
import { CredentialStore } from "../../../lib/auth/credential-store.ts";
import { systemClock } from "../../../lib/clock.ts";
import { localIssuer } from "../../../local/identity/local-identity.ts";
import { withStore } from "../../../ops/store/store.ts";
import { makeStore, runOperator, temporaryDirectory } from "../../support/operator.ts";

test("a blocked subject's row revokes its tokens until it is allowed again, however often either is said", async () => {
  await using directory = await temporaryDirectory();
  const data = directory.path;
  await makeStore(data);
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
