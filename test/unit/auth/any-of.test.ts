import { describe, expect, test } from "vitest";
import { acceptedSetsSetting, type EvidenceKind } from "../../../lib/auth/accepted-sets.ts";
import { anyOf, type Evidence } from "../../../lib/auth/any-of.ts";
import { Failure } from "../../../lib/errors.ts";
import { readRequest } from "../../../lib/http/request.ts";
import { invalidCredentials, type Principal } from "../../../lib/principal.ts";

const request = readRequest({});
const good = (kind: EvidenceKind, changes: Partial<Principal> = {}): Evidence => ({
  kind,
  isPresented: () => true,
  authenticate: async () => ({ owner: "wallet-1", scopes: ["passes.read"], ...changes }),
});
const failing = (kind: EvidenceKind, error: Error): Evidence => ({
  kind,
  isPresented: () => true,
  authenticate: async () => {
    throw error;
  },
});
const absent = (kind: EvidenceKind): Evidence => ({
  ...failing(kind, new Error("was asked")),
  isPresented: () => false,
});
const bad = (kind: EvidenceKind) => failing(kind, invalidCredentials("bad"));
const anyone = acceptedSetsSetting.parse(undefined);

const codeOf = async (evidence: readonly Evidence[], accepted = anyone): Promise<unknown> => {
  try {
    return await anyOf(evidence, accepted)(request);
  } catch (error) {
    return error instanceof Failure ? error.code : error;
  }
};
const principal = { owner: "wallet-1", scopes: ["passes.read"] };

describe("by default", () => {
  test.each(["certificate", "jws", "token"] as const)("one %s by itself suffices", async (kind) => {
    expect(await codeOf([good(kind)])).toEqual(principal);
  });

  test("a request without credentials is refused, and none is looked up", async () => {
    expect(await codeOf([absent("certificate"), absent("jws"), absent("token")])).toBe("invalid_credentials");
  });

  test("an invalid credential beside a valid one is refused, in either order", async () => {
    expect(await codeOf([good("certificate"), bad("jws"), good("token")])).toBe("invalid_credentials");
    expect(await codeOf([bad("certificate"), good("token")])).toBe("invalid_credentials");
  });

  test("two that name different owners are refused", async () => {
    expect(await codeOf([good("certificate"), good("token", { owner: "wallet-2" })])).toBe(
      "invalid_credentials",
    );
  });

  test("every registered credential of them has been used, and a token is not registered", async () => {
    const evidence = [
      good("certificate", { credentials: ["certificate#a", "certificate-name#b"] }),
      good("jws", { credentials: ["jws#c"] }),
      good("token"),
    ];
    expect(await codeOf(evidence)).toEqual({
      ...principal,
      credentials: ["certificate#a", "certificate-name#b", "jws#c"],
    });
  });

  test("only a scope that every one of them grants counts", async () => {
    const scopes = ["passes.read", "more"];
    expect(await codeOf([good("jws", { scopes }), good("token", { scopes: ["more"] })])).toEqual({
      owner: "wallet-1",
      scopes: ["more"],
    });
  });

  test("a failed lookup is reported as one, unless another credential is certainly invalid", async () => {
    const down = new Failure("temporarily_unavailable", "down");
    expect(await codeOf([good("certificate"), failing("token", down)])).toBe("temporarily_unavailable");
    expect(await codeOf([failing("certificate", down), bad("token")])).toBe("invalid_credentials");
  });
});

describe("a stage that requires a certificate and one of the others", () => {
  const accepted = acceptedSetsSetting.parse("certificate+jws certificate+token");

  test("accepts both together", async () => {
    expect(await codeOf([good("certificate"), good("token")], accepted)).toEqual(principal);
    expect(await codeOf([good("certificate"), good("jws")], accepted)).toEqual(principal);
  });

  test("refuses each kind alone, and the others together", async () => {
    for (const kind of ["certificate", "jws", "token"] as const) {
      expect(await codeOf([good(kind)], accepted)).toBe("invalid_credentials");
    }
    expect(await codeOf([good("jws"), good("token")], accepted)).toBe("invalid_credentials");
  });

  test("still refuses an invalid third credential", async () => {
    expect(await codeOf([good("certificate"), bad("jws"), good("token")], accepted)).toBe(
      "invalid_credentials",
    );
  });
});

test.each(["", "password", "jws,token", "jws+jws", "jws  token", "+"])(
  "the setting %j is refused",
  (text) => {
    expect(acceptedSetsSetting.safeParse(text).success).toBe(false);
  },
);
