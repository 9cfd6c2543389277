import { expect, test } from "vitest";
import { createdKey, idAt, isPosition } from "../../../lib/transactions/created-key.ts";

test("a position gives its id back", () => {
  const position = createdKey("001772359200000000", "tx~1@GA");
  expect(isPosition(position)).toBe(true);
  expect(idAt(position)).toBe("tx~1@GA");
});

test.each([
  "",
  "001772359200000000",
  "001772359200000000#",
  "1#tx",
  "001772359200000000#a/b",
  "00177235920000000x#a",
  "001772359200000000#a\n",
])("%j is no position", (text) => expect(isPosition(text)).toBe(false));
