import { describe, expect, test } from "vitest";
import { normaliseOrderId } from "../../../lib/sell-orders/order-id.ts";

describe("an order id", () => {
  test.each([
    ["F6868AB3-DBA4-4812-A98B-3BF818FCACFA", "f6868ab3-dba4-4812-a98b-3bf818fcacfa"],
    ["24688438-40e1-70d0-d97e-084cfc8992c7", "24688438-40e1-70d0-d97e-084cfc8992c7"],
    ["FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
    ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"],
    ["01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    ["7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"],
  ])("%s is kept as %s", (text, expected) => expect(normaliseOrderId(text)).toBe(expected));

  test.each([
    ["empty", ""],
    ["a word", "tx_123"],
    ["a UUID without hyphens", "f6868ab3dba44812a98b3bf818fcacfa"],
    ["a UUID in braces", "{f6868ab3-dba4-4812-a98b-3bf818fcacfa}"],
    ["a UUID with a letter beyond f", "g6868ab3-dba4-4812-a98b-3bf818fcacfa"],
    ["a UUID that is too short", "f6868ab3-dba4-4812-a98b-3bf818fcacf"],
    ["a UUID with a digit before it", "0f6868ab3-dba4-4812-a98b-3bf818fcacfa"],
    ["a UUID as a name of its kind", "urn:uuid:f6868ab3-dba4-4812-a98b-3bf818fcacfa"],
    ["a UUID and a line end", "f6868ab3-dba4-4812-a98b-3bf818fcacfa\n"],
    ["a ULID beyond its range", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ"],
    ["a ULID with I", "01ARZ3NDEKTSV4RRFFQ69G5FAI"],
    ["a ULID with l", "01arz3ndektsv4rrffq69g5fal"],
    ["a ULID with O", "01ARZ3NDEKTSV4RRFFQ69G5FAO"],
    ["a ULID with u", "01arz3ndektsv4rrffq69g5fau"],
    ["a ULID with the Kelvin sign for its k", "01ARZ3NDE\u212aTSV4RRFFQ69G5FAV"],
    ["a ULID that is too long", "01ARZ3NDEKTSV4RRFFQ69G5FAVA"],
    ["a ULID that is too short", "01ARZ3NDEKTSV4RRFFQ69G5FA"],
  ])("is not %s", (_what, text) => expect(normaliseOrderId(text)).toBeUndefined());
});
