import { expect, test } from "vitest";
import { PassRegister } from "../../../lib/passes/pass-register.ts";
import { clientOver, storeAnswers, type WireRequest } from "../../support/faulty-store.ts";

const stored = { partner_reference: { S: "ref" }, gone_at: { N: "1" } };

test.each([
  ["the pass that made it fail", stored, { state: "void", goneAt: 1 }],
  ["that there is no pass", undefined, undefined],
])("a write whose condition fails costs one call and shows %s", async (_what, item, shown) => {
  const asked: WireRequest[] = [];
  const client = clientOver((request) => {
    asked.push(request);
    return storeAnswers.conditionFailed(item);
  });
  expect(await new PassRegister({ client, name: "Passes" }).void("ref", 2)).toEqual({
    done: false,
    stored: shown,
  });
  expect(asked.map(({ operation }) => operation)).toEqual(["UpdateItem"]);
});
