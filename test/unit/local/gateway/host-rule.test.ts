import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostRule } from "../../../../local/gateway/host-rule.ts";

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
  expect(["sandbox.example.com", "SANDBOX.example.com:8080", "sandbox.example.com."].map(isOwn)).toEqual([
    true,
    true,
    true,
  ]);
  expect(["a.sandbox.example.com", "example.com", "sandbox.example.com.evil.com"].map(isOwn)).toEqual([
    false,
    false,
    false,
  ]);
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
