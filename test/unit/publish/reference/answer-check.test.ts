import { describe, expect, test } from "vitest";
import { unsaid } from "../../../support/answer-check.ts";
import { sellOrderText } from "../../../support/documents.ts";

const target = "/sell-orders/8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
const failure = (code: string, members = {}) =>
  JSON.stringify({
    error_id: "0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11",
    code,
    message: "no",
    timestamp: 1,
    ...members,
  });
const of = (status: number, body: string, to = target) => unsaid({ target: to, status, body });

describe("an answer is described", () => {
  test.each([
    ["a record", 200, sellOrderText(), target],
    ["a failure with a code of the endpoint", 404, failure("not_found"), target],
    ["an answer of the gateway itself", 404, '{"message":"Not Found"}', target],
    ["an answer of no endpoint", 200, "anything", "/openapi.json"],
    ["an unchanged pass", 304, "", "/passes/ref-1"],
  ])("%s", (_, status, body, to) => expect(of(status, body, to)).toEqual([]));
});

describe("an answer is not described", () => {
  test.each([
    ["a member that the schema does not name", 200, sellOrderText({ more: 1 }), target],
    ["a member that is missing", 200, sellOrderText({ fiat: undefined }), target],
    ["a list in place of a record", 200, "[]", target],
    ["a record in place of a list", 200, "{}", "/transactions?count=1"],
    ["a code of another endpoint", 410, failure("gone"), target],
    ["a code with the status of another one", 400, failure("not_found"), target],
    ["a failure with a member too many", 404, failure("not_found", { cause: "x" }), target],
    ["a 304 where there are no tags", 304, "", target],
    ["a 304 with a body", 304, "{}", "/passes/ref-1"],
  ])("%s", (_, status, body, to) => expect(of(status, body, to)).not.toEqual([]));
});
