import { describe, expect, test } from "vitest";
import type { Credential } from "../../../lib/auth/credential.ts";
import { findCredential, shortCredentialId } from "../../../ops/find-credential.ts";

const credential = (id: string): Credential => ({
  id,
  kind: "ramp-key",
  owner: "acme",
  scopes: [],
  createdAt: 0,
});
const idOf = (digits: string) => `ramp-key#${digits.padEnd(64, "0")}`;

const one = credential(idOf("0123456789ab1"));
const other = credential(idOf("0123456789ab2"));
const third = credential(idOf("fedcba98"));
const all = [one, other, third];

describe("naming a key", () => {
  test("by its whole id finds it even where another begins alike", () => {
    expect(findCredential(all, one.id)).toBe(one);
  });

  test("by a beginning that only one id has finds it", () => {
    expect(findCredential(all, "ramp-key#fedcba98")).toBe(third);
    expect(findCredential(all, shortCredentialId(third.id))).toBe(third);
  });

  test("by a beginning of several ids finds none, and says how many", () => {
    expect(() => findCredential(all, "ramp-key#0123456789ab")).toThrow(
      "begins 2 ids. Give more digits of it.",
    );
  });

  test.each(["", "r", "ramp-key", "ramp-key#", "ramp-key#fedcba9"])(
    "by %j alone is too little to revoke anything",
    (given) => {
      expect(() => findCredential([third], given)).toThrow("is too short to name a key");
    },
  );

  test("that does not exist says where ids are found", () => {
    expect(() => findCredential(all, "ramp-key#99999999")).toThrow("There is no key");
    expect(() => findCredential(all, "other-key#fedcba98")).toThrow("`keys list` shows the ids.");
  });

  test("shortens hashes only", () => {
    expect(shortCredentialId(third.id)).toBe("ramp-key#fedcba980000");
    expect(shortCredentialId("subject#https://id.example#acme")).toBe("subject#https://id.example#acme");
  });
});
