import { describe, expect, test } from "vitest";
import { rowIn, shortCredentialId } from "../../../../ops/credentials/find-credential.ts";

const idOf = (digits: string) => `ramp-key#${digits.padEnd(64, "0")}`;

const one = idOf("0123456789ab1");
const other = idOf("0123456789ab2");
const third = idOf("fedcba98");
const all = [one, other, third, "jws#wallet-2026-backup", "jws#fedcba98", "note#1"];
const idIn = (ids: readonly string[], given: string) =>
  rowIn(
    ids.map((id) => ({ id, credential: undefined, notes: {} })),
    given,
  ).id;

describe("naming a key", () => {
  test("by its whole id finds it even where another begins alike", () => {
    expect(idIn(all, one)).toBe(one);
  });

  test("by a beginning that only one id has finds it", () => {
    expect(idIn(all, "ramp-key#fedcba98")).toBe(third);
    expect(idIn(all, shortCredentialId(third))).toBe(third);
  });

  test("by a beginning of several ids finds none, and says how many", () => {
    expect(() => idIn(all, "ramp-key#0123456789ab")).toThrow(
      '2 ids begin with "ramp-key#0123456789ab". Give more digits.',
    );
  });

  test.each(["", "r", "ramp-key", "ramp-key#", "ramp-key#fedcba9"])(
    "by %j alone is too little to revoke anything",
    (given) => {
      expect(() => idIn([third], given)).toThrow("is too short to name a key");
    },
  );

  test.each(["jws#wallet-2026", "jws#wallet-2026-backu", "jws#fedcba9", "jws#fedcba9876"])(
    "by the beginning of a name finds none: %s",
    (given) => {
      expect(() => idIn(all, given)).toThrow(/There is no key|is too short/);
    },
  );

  test("that does not exist says where ids are found", () => {
    expect(() => idIn(all, "ramp-key#99999999")).toThrow("There is no key");
    expect(() => idIn(all, "other-key#fedcba98")).toThrow("`keys list` shows the ids.");
  });

  test("shortens hashes only", () => {
    expect(shortCredentialId(third)).toBe("ramp-key#fedcba980000");
    expect(shortCredentialId("subject#https://id.example#acme")).toBe("subject#https://id.example#acme");
  });
});
