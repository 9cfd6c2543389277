import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostRule, namedHost } from "../../../../local/gateway/host-rule.ts";

const isOwn = hostRule(["Sandbox.Example.com"]);

describe("a Host that cannot be a foreign domain is this machine's", () => {
  test.each([
    "localhost",
    "localhost:3000",
    "LOCALHOST:3000",
    "127.0.0.1:3000",
    "192.168.1.20",
    "[::1]:3000",
    "[fe80::1]",
    "build-box",
    "build-box.:80",
    "host.docker.internal:3000",
    "laptop.local",
    "demo.localhost:3000",
    "plain.test:41234",
    "",
  ])("%s", (host) => expect(isOwn(host)).toBe(true));
});

describe("a Host with a public name is foreign", () => {
  test.each([
    "evil.example.com",
    "evil.example.com:3000",
    "127.0.0.1.nip.io",
    "localhost.evil.com",
    "xlocal.dev",
    "notlocalhost.com",
    "1.2.3.4.5",
    "1.2.3",
    "internal.com",
    "evil.com.",
    "evil.contest",
    "evil.mylocal",
    "evil.nointernal",
  ])("%s", (host) => expect(isOwn(host)).toBe(false));
});

test("an allowed name is this machine's in any letter case, on any port, and no name beside it", () => {
  const own = ["sandbox.example.com", "SANDBOX.example.com:8080", "sandbox.example.com."];
  expect(
    [...own, "a.sandbox.example.com", "example.com", "sandbox.example.com.evil.com"].filter(isOwn),
  ).toEqual(own);
});

test("every name below a public domain is foreign, and is this machine's once it is allowed", () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/);
  const ending = fc.constantFrom("com", "dev", "io", "co.uk", "zip");
  fc.assert(
    fc.property(
      fc.array(label, { minLength: 1, maxLength: 4 }),
      ending,
      fc.nat(65_535),
      (labels, top, port) => {
        const name = [...labels, top].join(".");
        expect(hostRule([])(`${name}:${port}`)).toBe(false);
        expect(hostRule([name])(`${name.toUpperCase()}:${port}`)).toBe(true);
      },
    ),
  );
});

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
