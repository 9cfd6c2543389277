import { expect, test } from "vitest";
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
  authenticate: () => Promise.reject(error),
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

const [certificate, jws, token] = [good("certificate"), good("jws"), good("token")];
const invalid = "invalid_credentials";
const down = new Failure("temporarily_unavailable", "down");
const shared = ["passes.read", "more"];
const used = [
  good("certificate", { credentials: ["certificate#a", "certificate-name#b"] }),
  good("jws", { credentials: ["jws#c"] }),
];
const credentials = ["certificate#a", "certificate-name#b", "jws#c"];

test.each<[string, readonly Evidence[], unknown]>([
  ["one certificate by itself suffices", [certificate], principal],
  ["one signature by itself suffices", [jws], principal],
  ["one token by itself suffices", [token], principal],
  [
    "no credential is refused, and none is looked up",
    [absent("certificate"), absent("jws"), absent("token")],
    invalid,
  ],
  ["an invalid one between valid ones is refused", [certificate, bad("jws"), token], invalid],
  ["an invalid one before a valid one is refused", [bad("certificate"), token], invalid],
  [
    "two that name different owners are refused",
    [certificate, good("token", { owner: "wallet-2" })],
    invalid,
  ],
  [
    "every registered one has been used, and a token is not registered",
    [...used, token],
    { ...principal, credentials },
  ],
  [
    "only a scope that every one grants counts",
    [good("jws", { scopes: shared }), good("token", { scopes: ["more"] })],
    { owner: "wallet-1", scopes: ["more"] },
  ],
  ["a failed lookup is reported as one", [certificate, failing("token", down)], "temporarily_unavailable"],
  ["unless another is certainly invalid", [failing("certificate", down), bad("token")], invalid],
])("by default, %s", async (_, evidence, answer) => expect(await codeOf(evidence)).toEqual(answer));

test.each<[string, readonly Evidence[], unknown]>([
  ["accepts it with a token", [certificate, token], principal],
  ["accepts it with a signature", [certificate, jws], principal],
  ["refuses a certificate alone", [certificate], invalid],
  ["refuses a signature alone", [jws], invalid],
  ["refuses a token alone", [token], invalid],
  ["refuses the others together", [jws, token], invalid],
  ["still refuses an invalid third one", [certificate, bad("jws"), token], invalid],
])("a stage that requires a certificate and one of the others %s", async (_, evidence, answer) => {
  const accepted = acceptedSetsSetting.parse("certificate+jws certificate+token");
  expect(await codeOf(evidence, accepted)).toEqual(answer);
});

test.each(["", "password", "jws,token", "jws+jws", "jws  token", "+"])(
  "the setting %j is refused",
  (text) => {
    expect(acceptedSetsSetting.safeParse(text).success).toBe(false);
  },
);
