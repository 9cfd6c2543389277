import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isRequestId, isStoredOwner } from "../../../lib/id.ts";
import { requestKey } from "../../../lib/transactions/transaction-filter.ts";
import { cases } from "../../support/cases.ts";

const KEY_BYTES_MAX = 2_048;

test("no two businesses share a key, whatever characters their names and their clients' request ids have", () => {
  const signs = fc.string({
    unit: fc.constantFrom("#", "%", "2", "3", "5", "a"),
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(signs, signs, signs, signs, (business, request, otherBusiness, otherRequest) => {
      const isSame = business === otherBusiness && request === otherRequest;
      expect(requestKey(business, request) === requestKey(otherBusiness, otherRequest)).toBe(isSame);
    }),
    { numRuns: cases(400) },
  );
  expect(requestKey("a#b", "c")).not.toBe(requestKey("a", "b#c"));
});

test("the longest business and the longest request id fit a key", () => {
  const business = "b".repeat(1_535);
  expect([isStoredOwner(business), isStoredOwner(`${business}b`)]).toEqual([true, false]);
  for (const sign of ["a", "#", "%", "é", "€", "😀"]) {
    const request = sign.repeat(128);
    expect(isRequestId(request)).toBe(true);
    expect(Buffer.byteLength(requestKey(business, request))).toBeLessThanOrEqual(KEY_BYTES_MAX);
  }
});
