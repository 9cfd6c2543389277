import { InvalidArgumentError } from "commander";
import { describe, expect, test } from "vitest";
import { brandMembers } from "../../../../lib/brand.ts";
import { parseEndpoint, parserOf, resolveForCaller } from "../../../../local/terminal/option-parsers.ts";

describe("the address of a DynamoDB", () => {
  test.each([
    ["http://127.0.0.1:8000", "http://127.0.0.1:8000"],
    ["https://dynamodb.eu-central-1.amazonaws.com/", "https://dynamodb.eu-central-1.amazonaws.com"],
    ["HTTP://localhost:8000/shell?a=b", "http://localhost:8000"],
  ])("%j is read as %j", (text, origin) => {
    expect(parseEndpoint(text)).toBe(origin);
  });

  test.each(["", "127.0.0.1:8000", "localhost:8000", "ftp://localhost", "file:///tmp", "http://"])(
    "%j is refused as an argument",
    (text) => {
      expect(() => parseEndpoint(text)).toThrow(InvalidArgumentError);
    },
  );
});

test("an option takes the values that its setting's schema takes, and refuses others in the schema's words", () => {
  const parse = parserOf(brandMembers.venue);
  expect(parse("ACME1")).toBe("ACME1");
  expect(() => parse("acme")).toThrow(new InvalidArgumentError("It must be upper-case letters and digits."));
});

describe("a path", () => {
  const under = (script: string | undefined, from: string | undefined) => ({
    npm_lifecycle_event: script,
    INIT_CWD: from,
  });

  test.each([
    [
      "is resolved against the caller's directory under the script that npm runs",
      "data",
      under("ops", "/home/me"),
      "/home/me/data",
    ],
    ["stays when it is absolute", "/data", under("ops", "/home/me"), "/data"],
    ["stays under another script", "data", under("test", "/home/me"), "data"],
    [
      "stays without npm, whatever npm has left in the environment",
      "data",
      under(undefined, "/home/me"),
      "data",
    ],
    ["stays when npm names no directory", "data", under("ops", ""), "data"],
    ["stays when npm's variable is missing", "data", under("ops", undefined), "data"],
  ])("%s", (_, path, environment, resolved) => {
    expect(resolveForCaller(path, "ops", environment)).toBe(resolved);
  });
});
