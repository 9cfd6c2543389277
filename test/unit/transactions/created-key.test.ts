import { expect, test } from "vitest";
import { createdKey, createdMicrosAt, idAt, isPosition } from "../../../lib/transactions/created-key.ts";

test("a position gives its instant and its id back", () => {
  const position = createdKey("001772359200000000", "tx~1@GA");
  expect(isPosition(position)).toBe(true);
  expect(idAt(position)).toBe("tx~1@GA");
  expect(createdMicrosAt(position)).toBe("001772359200000000");
});

test.each([
  "",
  "001772359200000000",
  "001772359200000000#",
  "1#tx",
  "0001772359200000000#tx",
  "001772359200000000#a/b",
  "00177235920000000x#a",
  "001772359200000000#a\n",
])("%j is not a position", (text) => expect(isPosition(text)).toBe(false));
