import { expect, test } from "vitest";
import { namedHost } from "../../../../local/gateway/host-rule.ts";

const named = (hosts: readonly string[], url = "/", httpVersion = "1.1") =>
  namedHost({ rawHeaders: ["X", "host", ...hosts.flatMap((host) => ["hOsT", host])], httpVersion, url });

test.each(["localhost", "localhost:3000", "127.0.0.1:", "[::1]:3000", "a_b.example", ""])(
  "a request names the host of its header: %j",
  (host) => expect(named([host])).toBe(host),
);

test.each([
  ["with a user", "me@localhost"],
  ["with a percent sign, which some readers decode", "evil%2ecom"],
  ["in letters of another script", "evil。com"],
  ["in letters of another script, as bytes", Buffer.from("evil。com").toString("latin1")],
  ["with a path", "localhost/a"],
  ["with a space", "a b"],
  ["two in one line", "a, b"],
  ["with a word as its port", "a:http"],
  ["with half a bracket", "[::1"],
])("and none if it is malformed: %s", (_, host) => expect(named([host])).toBeUndefined());

test("and none if it has no header or two, but that HTTP/1.0 may leave it out", () => {
  expect(named([])).toBeUndefined();
  expect(named(["a", "a"])).toBeUndefined();
  expect(named([], "/", "1.0")).toBe("");
});

test.each([
  ["http://evil.example/a?b", "evil.example"],
  ["HTTPS://evil.example:1", "evil.example:1"],
  ["http://evil.example?a=/", "evil.example"],
  ["http://me@localhost/", undefined],
  ["http://evil%2ecom/", undefined],
  ["http:///a", undefined],
  ["/http://evil.example/", "localhost"],
  ["//evil.example/", "localhost"],
  ["*", "localhost"],
])("a whole URL as the target names the host, whatever the header says: %s", (url, host) => {
  expect(named(["localhost"], url)).toBe(host);
  if (url.startsWith("http")) expect(named(["local host"], url)).toBeUndefined();
});
