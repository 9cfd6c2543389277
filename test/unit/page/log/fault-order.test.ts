import { describe, expect, test } from "vitest";
import { setFault } from "../../../../local/faults/fault-routes.ts";
import { complaintOf, type FaultForm, orderOf } from "../../../../page/src/log/fault-order.ts";

const form = (members: Partial<FaultForm> = {}): FaultForm => ({
  route: "list-trades",
  fault: "429",
  times: "",
  oneIn: "",
  forS: "",
  ...members,
});

describe("the form of a fault", () => {
  test("leaves empty fields to the service", () => {
    expect(orderOf(form())).toEqual({ route: "list-trades", fault: "429" });
  });

  test("orders in the service's units, which takes the order", () => {
    const order = orderOf(form({ times: " 3 ", oneIn: "1", forS: "30" }));
    expect(order).toEqual({ route: "list-trades", fault: "429", times: 3, oneIn: 1, forMs: 30_000 });
    expect(setFault.input.safeParse(order).success).toBe(true);
  });

  test.each(["0", "-1", "1.5", "1e3", "many", "1000000", "0x10", "１"])("complains of %j", (text) => {
    expect(complaintOf(text)).toContain("a whole number from 1 to 999,999");
  });

  test.each(["1", "999999"])("takes %j in each field, as the service does", (text) => {
    expect(complaintOf(text)).toBeUndefined();
    const order = orderOf(form({ times: text, oneIn: text, forS: text }));
    expect(setFault.input.safeParse(order).success).toBe(true);
  });
});
