import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { statusOf } from "../../../../lib/http/error-response.ts";
import { endpointReferences } from "../../../../local/endpoints/endpoints.ts";
import { byHand } from "../../../../ops/compare/by-hand.ts";
import {
  type CredentialName,
  credentialMembers,
  noCredentials,
} from "../../../../ops/compare/credentials.ts";
import { methodOf } from "../../../../ops/compare/message.ts";
import type { Probe } from "../../../../ops/compare/probe.ts";
import { Side } from "../../../../ops/compare/side.ts";
import { chooseProbes, suite } from "../../../../ops/compare/suite.ts";
import { gatewayBehaviours, knownBehaviours } from "../../../support/fidelity.ts";

const names = [...suite, ...byHand].map(({ name }) => name);
const begins = (name: string, wanted: string): boolean => name === wanted || name.startsWith(`${wanted}-`);

const anonymous = new Side({
  label: "left",
  url: new URL("http://a.example/api"),
  credentials: noCredentials,
});

describe("the suite", () => {
  test("has a name of its own for each request and for what is shown by hand", () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  test.each(endpointReferences)(
    "asks $contract.name for the record, for each refusal that a request can cause, by HEAD and with a slash at its end",
    ({ contract: { name }, codes, notModified }) => {
      const asked = codes
        .filter((code) => statusOf[code] < 500)
        .map((code) => `${name}-${code.replaceAll("_", "-")}`);
      const unchanged = notModified === undefined ? [] : [`${name}-unchanged`];
      const wanted = [name, ...asked, ...unchanged, `${name}-head`, `${name}-trailing-slash`];
      expect(wanted.filter((one) => !names.includes(one))).toEqual([]);
      for (const probe of suite) {
        const code = codes.find((one) => probe.name === `${name}-${one.replaceAll("_", "-")}`);
        if (code !== undefined) expect([probe.name, probe.meant]).toEqual([probe.name, statusOf[code]]);
      }
    },
  );

  test("begins with what is least known of AWS", () => {
    const first = ["get-pass-invalid-credentials", "path-question-mark", "path-percent", "path-slash"];
    const next = ["get-pass-unchanged", "get-pass-trailing-slash", "get-pass-head", "header-bytes-beyond"];
    const places = [...first, ...next, "get-pass"].map((name) => names.indexOf(name));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(byHand.slice(0, 2).map(({ name }) => name)).toEqual(["function-throttled", "consumed-capacity"]);
  });

  test("reads only: no request without credentials has a method that could change anything", async () => {
    const methods = new Set<string>();
    for (const probe of suite) {
      try {
        methods.add(methodOf((await probe.sending(anonymous, undefined)).message));
      } catch {
        // Without its credentials it cannot be made.
      }
    }
    expect([...methods].toSorted()).toEqual(["CONNECT", "GET", "HEAD", "OPTIONS", "get"]);
  });
});

describe("every behaviour of the gateway that HTTP can show", () => {
  test.each(gatewayBehaviours.filter(({ isHere }) => isHere))(
    "is shown by a request of the suite or by hand: $behaviour",
    ({ shownBy, isSeenByFunctions }) => {
      expect(shownBy.length > 0).toBe(!isSeenByFunctions);
    },
  );

  test("names requests and commands by hand that there are", () => {
    const wanted = knownBehaviours.flatMap(({ shownBy }) => shownBy.filter((shown) => !shown.includes(" ")));
    expect(wanted.length).toBeGreaterThan(20);
    const unknown = wanted.filter((one) => ![...suite, ...byHand].some(({ name }) => begins(name, one)));
    expect(unknown).toEqual([]);
  });
});

test.each(byHand)("$name has a command that a shell can parse", ({ command }) => {
  const { status, stderr } = spawnSync("sh", ["-n", "-c", command], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

describe("requests are chosen", () => {
  const chosen = (only: string[], includesLimits = false) =>
    chooseProbes(suite, only, includesLimits).map(({ name }) => name);
  const limited = suite.filter(({ usesUp }) => usesUp !== undefined).map(({ name }) => name);

  test("all but those that use up a limit, unless these are asked for", () => {
    expect(limited.length).toBeGreaterThan(3);
    expect(chosen([])).toEqual(suite.map(({ name }) => name).filter((name) => !limited.includes(name)));
    expect(chosen([], true)).toHaveLength(suite.length);
  });

  test("by name, or by the beginning of names up to a hyphen, in the order of the suite", () => {
    expect(chosen(["path-slash", "header-cookie"])).toEqual([
      "path-slash",
      "path-slash-encoded-twice",
      "header-cookie",
    ]);
    expect(chosen(["get-pass"])).not.toContain("get-pass-rate-limited");
    expect(chosen(["get-pass-rate-limited"])).toEqual(["get-pass-rate-limited"]);
    expect(chosen(["get-pass"], true)).toContain("get-pass-rate-limited");
  });

  test("and a name that no request has is refused", () => {
    expect(() => chosen(["path-sl"])).toThrow(
      'No request is called "path-sl". --list shows the names of all.',
    );
  });
});

test("every credential is needed by some request, and none is asked for that a file cannot give", async () => {
  const asked = new Set<string>();
  class Asked extends Side {
    override get(name: Parameters<Side["get"]>[0]): string {
      asked.add(name);
      return super.get(name);
    }
  }
  const members = Object.keys(credentialMembers) as CredentialName[];
  const side = new Asked({
    label: "left",
    url: new URL("http://a.example/api"),
    credentials: new Map(
      members.map((name) => [name, name === "passes.mtls.url" ? "https://a.example" : "/absent"]),
    ),
  });
  const make = async (probe: Probe) => await probe.sending(side, undefined);
  for (const probe of suite) await make(probe).catch(() => {});
  // The authority of a server is optional, so nobody is told that it is missing.
  expect(members.filter((name) => !asked.has(name))).toEqual(["passes.mtls.ca"]);
});
