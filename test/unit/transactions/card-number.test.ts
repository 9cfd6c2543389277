import { describe, expect, test } from "vitest";
import { isMaskedCardNumber } from "../../../lib/transactions/card-number.ts";

describe("a masked card number", () => {
  test.each([
    "459480******8529",
    "4594 80** **** 8529",
    "4594-80xx-xxxx-8529",
    "•••• 8529",
    "XXXXXXXXXXXX8529",
    "****",
    "459480*8529",
    "8529",
    "459480",
    "45948012****8529",
    "4594 8012 **** 8529",
    "4594-8012-xxxx-8529",
    "45948012",
  ])("may be %s", (text) => expect(isMaskedCardNumber(text)).toBe(true));

  test.each([
    ["nine leading digits", "459480123***8529"],
    ["nine leading digits with separators", "4594 8012 3*** 8529"],
    ["nine leading digits and none at the end", "459480123*******"],
    ["five trailing digits", "459480*****78529"],
    ["five trailing digits with separators", "459480****7-8 5 2 9"],
    ["digits between two masked parts", "4594**80****8529"],
    ["all digits", "4594801234568529"],
    ["all digits, with separators", "4594 8012 3456 8529"],
    ["ten digits without a mask", "4594808529"],
    ["nine digits and no mask", "459480123"],
    ["a mask at the end only", "4594801234568529*"],
    ["a mask at the front only", "*4594801234568529"],
    ["digits of another script", "٤٥٩٤٨٠١٢٣٤٥٦٨٥٢٩"],
    ["digits divided by other signs", "4594/8012/3456/8529"],
    ["digits divided by an invisible sign", "459480\u200b123456\u200b8529"],
    ["digits on two lines", "459480*8529\n4594801234568529"],
    ["a line end", "459480*8529\n"],
  ])("never shows %s", (_what, text) => expect(isMaskedCardNumber(text)).toBe(false));
});
