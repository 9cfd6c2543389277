import { describe, expect, test } from "vitest";
import { setFault } from "../../../../local/faults/fault-routes.ts";
import { type FaultForm, orderOf } from "../../../../page/src/log/fault-order.ts";

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
    expect(orderOf(form())).toEqual({ order: { route: "list-trades", fault: "429" } });
  });

  test("orders in the service's units, which takes the order", () => {
    const read = orderOf(form({ times: " 3 ", oneIn: "1", forS: "30" }));
    expect(read).toEqual({
      order: { route: "list-trades", fault: "429", times: 3, oneIn: 1, forMs: 30_000 },
    });
    expect("order" in read && setFault.input.safeParse(read.order).success).toBe(true);
  });

  test.each(["0", "-1", "1.5", "1e3", "many", "1000001", "0x10", "１"])(
    "complains of %j in each field",
    (text) => {
      for (const name of ["times", "oneIn", "forS"] as const) {
        const read = orderOf(form({ [name]: text }));
        expect("complaints" in read && Object.keys(read.complaints)).toEqual([name]);
      }
    },
  );

  test.each(["1", "1000000"])("takes %j in each field", (text) => {
    expect(orderOf(form({ times: text, oneIn: text, forS: text }))).toHaveProperty("order");
  });

  test("complains of all wrong fields at once", () => {
    const read = orderOf(form({ times: "0", forS: "soon" }));
    expect("complaints" in read && Object.keys(read.complaints)).toEqual(["times", "forS"]);
  });
});
