import { expect, test } from "vitest";
import { ControlRefusal } from "../../../../local/control/control-route.ts";
import { refusalOf } from "../../../../publish/embed/doors.ts";

test("what is for people is told as it is", () => {
  expect(refusalOf(new ControlRefusal("No, because of this."))).toEqual({ refusal: "No, because of this." });
});

test("a fault is told in one line, with its stack apart", () => {
  const error = new TypeError("x is not a function\n    at inner (chunk-1.mjs:1)");
  const { refusal, stack } = refusalOf(error);
  expect(refusal).toBe("The countinghouse failed, by a fault of its own: TypeError: x is not a function");
  expect(stack).toBe(error.stack);
  expect(refusalOf("thrown")).toEqual({ refusal: "The countinghouse failed, by a fault of its own: thrown" });
});
