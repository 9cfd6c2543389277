import { expect, test } from "vitest";
import { readRoute } from "../../../page/src/route.ts";

test.each([
  ["", { screen: "overview" }],
  ["#/", { screen: "overview" }],
  ["#content", { screen: "overview" }],
  ["#/elsewhere", { screen: "nowhere" }],
  ["#/constructor", { screen: "nowhere" }],
  ["#/market", { screen: "market" }],
  ["#/try", { screen: "try" }],
  ["#/try/list-trades", { screen: "try", endpoint: "list-trades" }],
  ["#/try/%", { screen: "try", endpoint: "%" }],
  ["#/market/list-trades", { screen: "market" }],
  ["#/try/get-pass?a=b/c?&d=%20", { screen: "try", endpoint: "get-pass", query: "a=b/c?&d=%20" }],
  ["#/try?a=b", { screen: "try", query: "a=b" }],
  ["#/reference/tag/exchange", { screen: "reference" }],
])("the address %j names the place %j", (hash, route) => expect(readRoute(hash)).toEqual(route));
