import { describe, expect, test, vi } from "vitest";
import { apiKey } from "../../../lib/auth/api-key.ts";
import { type Credential, rampKeyId } from "../../../lib/auth/credential.ts";
import { readRequest } from "../../../lib/http/request.ts";
import { NOW } from "../../support/chain.ts";

const KEY = `${"A".repeat(42)}b`;
const stored: Credential = {
  id: rampKeyId(KEY),
  kind: "ramp-key",
  owner: "partner-1",
  scopes: [],
  createdAt: 0,
};

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
    expect(await authenticator().ask({ "x-Api-kEy": KEY })).toEqual({
      owner: "partner-1",
      scopes: [],
      credentials: [rampKeyId(KEY)],
    });
  });

  test.each([
    "a",
    "",
    "undefined",
    "null",
    KEY.toLowerCase(),
    `${KEY},${KEY}`,
    `${KEY} `,
    `${KEY}A`,
    KEY.slice(1),
  ])("%j is refused", async (given) => {
    await expect(authenticator().ask({ "x-api-key": given })).rejects.toMatchObject(refusal);
    await expect(authenticator([]).ask({ "x-api-key": given })).rejects.toMatchObject(refusal);
  });

  test.each([
    ["", 0],
    [KEY.slice(1), 0],
    [KEY, 1],
    [KEY.toLowerCase(), 1],
    [`${KEY}A`, 0],
    [`${KEY.slice(1)}=`, 0],
    [`${KEY.slice(1)}.`, 0],
    [`${KEY} `, 0],
    ["A".repeat(100), 0],
  ])("%j costs %i reads: only what has the form of a key is looked up", async (given, reads) => {
    const { ask, getStored } = authenticator([]);
    await expect(ask({ "x-api-key": given })).rejects.toMatchObject(refusal);
    expect(getStored).toHaveBeenCalledTimes(reads);
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
    await expect(asked({ revokedAt: 1 })).rejects.toMatchObject(refusal);
    await expect(asked({ expiresAt: NOW })).rejects.toMatchObject(refusal);
    expect((await asked({ expiresAt: NOW + 1 })).owner).toBe("partner-1");
  });
});
