import { describe, expect, test, vi } from "vitest";
import { apiKey } from "../../../lib/auth/api-key.ts";
import { type Credential, rampKeyId } from "../../../lib/auth/credential.ts";
import { readRequest } from "../../../lib/http/request.ts";
import { NOW } from "../../support/chain.ts";

const KEY = `${"A".repeat(42)}b`;
const id = rampKeyId(KEY);
const stored: Credential = { id, kind: "ramp-key", owner: "partner-1", scopes: [], createdAt: 0 };

function authenticator(rows: readonly Credential[] = [stored]) {
  const getStored = vi.fn(async (id: string) => rows.find((row) => row.id === id));
  const authenticate = apiKey({ credentials: { get: getStored }, clock: () => NOW });
  return {
    getStored,
    ask: (headers: Record<string, string>, rawQueryString = "") =>
      authenticate(readRequest({ headers, rawQueryString })),
  };
}

const refusal = { code: "invalid_credentials", message: "The credentials are missing or not valid." };

describe("X-API-KEY", () => {
  test("names its partner, in any spelling of the header's name", async () => {
    const principal = { owner: "partner-1", scopes: [], credentials: [id] };
    expect(await authenticator().ask({ "x-Api-kEy": KEY })).toEqual(principal);
  });

  test.each([
    ["", 0],
    ["a", 0],
    ["undefined", 0],
    ["null", 0],
    [KEY.slice(1), 0],
    [`${KEY},${KEY}`, 0],
    [KEY.toLowerCase(), 1],
    [`${KEY}A`, 0],
    [`${KEY.slice(1)}=`, 0],
    [`${KEY.slice(1)}.`, 0],
    [`${KEY} `, 0],
    ["A".repeat(100), 0],
  ])("%j is refused with %i reads: only what has the form of a key is looked up", async (given, reads) => {
    for (const { ask, getStored } of [authenticator(), authenticator([])]) {
      await expect(ask({ "x-api-key": given })).rejects.toMatchObject(refusal);
      expect(getStored).toHaveBeenCalledTimes(reads);
    }
  });

  test("is required as a header; a query parameter of that name does not count", async () => {
    const { ask, getStored } = authenticator();
    await expect(ask({})).rejects.toMatchObject(refusal);
    await expect(ask({}, `X-API-KEY=${KEY}`)).rejects.toMatchObject(refusal);
    expect(getStored).not.toHaveBeenCalled();
  });

  test("a revoked key, and one at the instant it expires, is refused; a millisecond earlier it counts", async () => {
    const asked = (change: Partial<Credential>) =>
      authenticator([{ ...stored, ...change }]).ask({ "x-api-key": KEY });
    for (const end of [{ revokedAt: 1 }, { expiresAt: NOW }])
      await expect(asked(end)).rejects.toMatchObject(refusal);
    expect((await asked({ expiresAt: NOW + 1 })).owner).toBe("partner-1");
  });
});
