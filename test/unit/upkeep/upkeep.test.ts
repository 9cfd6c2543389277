import { describe, expect, test } from "vitest";
import type { Credential } from "../../../lib/auth/credential.ts";
import { Failure } from "../../../lib/errors.ts";
import type { LogLine } from "../../../lib/log.ts";
import type { Switch } from "../../../lib/switches/switch.ts";
import { expiringAuthorities } from "../../../lib/upkeep/expiring-authorities.ts";
import { expiringCredentials } from "../../../lib/upkeep/expiring-credentials.ts";
import { keepKeySets } from "../../../lib/upkeep/keep-key-sets.ts";
import { type Expiring, reportDays } from "../../../lib/upkeep/report-days.ts";
import { reportSwitches } from "../../../lib/upkeep/report-switches.ts";
import { scheduled, type Task } from "../../../lib/upkeep/scheduled.ts";
import { upkeepEnv } from "../../../lib/upkeep/settings.ts";
import { createAuthority } from "../../../local/identity/certificates.ts";
import { tokenIssuer } from "../../support/tokens.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const clock = () => NOW;

/** A log, and what was written to it. */
function listening() {
  const lines: LogLine[] = [];
  return { lines, log: (line: LogLine) => void lines.push(line) };
}

describe("a call of a schedule", () => {
  function called(watch: readonly Task[]) {
    const { lines, log } = listening();
    const done: string[] = [];
    const expiry: Task = async () => void done.push("expiry");
    const handler = scheduled({ jobs: { watch, expiry: [expiry] }, clock, log });
    return { handler, lines, done };
  }

  test("does the tasks of the job that it names, and of no other", async () => {
    const watched: string[] = [];
    const { handler, lines, done } = called([async () => void watched.push("watch")]);
    await handler({ job: "watch" });
    expect([watched, done]).toEqual([["watch"], []]);
    await handler({ job: "expiry" });
    expect([watched, done, lines]).toEqual([["watch"], ["expiry"], []]);
  });

  test.each([{}, null, { job: "other" }, { job: 1 }, "watch"])(
    "that names no job fails: %j",
    async (event) => {
      const { handler, done } = called([]);
      await expect(handler(event)).rejects.toThrow();
      expect(done).toEqual([]);
    },
  );

  test("goes on after a task that fails, tells of it, and fails in the end, so that Lambda calls again", async () => {
    const watched: string[] = [];
    const failing: Task = async () => {
      throw new Failure("temporarily_unavailable", "The store did not answer.");
    };
    const { handler, lines } = called([failing, async () => void watched.push("second")]);
    await expect(handler({ job: "watch" })).rejects.toThrow("1 of 2 tasks");
    expect(watched).toEqual(["second"]);
    expect(lines).toMatchObject([
      { level: "ERROR", job: "watch", fault: { message: "The store did not answer." } },
    ]);
  });
});

describe("keepKeySets", () => {
  const urls = ["https://one.example/jwks", "https://two.example/jwks"];

  /** Keeps the sets of two issuers that answer like this; `now` moves with each fetch. */
  async function kept(answer: (host: string) => Promise<string>) {
    const items: { readonly id: string; readonly text: string; readonly fetchedAt: number }[] = [];
    const failures: unknown[] = [];
    let now = NOW;
    await keepKeySets({
      urls,
      register: { put: async (url, set) => void items.push({ id: url.href, ...set }) },
      clock: () => now,
      reportFailure: (error) => failures.push(error),
      fetchText: (url) => {
        now += 1_000;
        return answer(url.host);
      },
    });
    return { items, failures };
  }

  test("keeps the text of each issuer with the time before its fetch", async () => {
    const text = JSON.stringify({ keys: [(await tokenIssuer("ES256", "a")).jwk], "x-host": "any" });
    const { items, failures } = await kept(async () => text);
    expect(failures).toEqual([]);
    expect(items).toEqual([
      { id: "https://one.example/jwks", text, fetchedAt: NOW },
      { id: "https://two.example/jwks", text, fetchedAt: NOW + 1_000 },
    ]);
  });

  test.each([
    ["does not answer", () => Promise.reject(new Failure("temporarily_unavailable", "no answer"))],
    ["answers without a key that verifies", () => Promise.resolve('{"keys":[]}')],
    ["answers with something else", () => Promise.resolve("<html>")],
  ])("leaves the set of an issuer that %s, tells of it, and goes on", async (_, failing) => {
    const text = JSON.stringify({ keys: [(await tokenIssuer("ES256", "a")).jwk] });
    const { items, failures } = await kept((host) =>
      host === "one.example" ? failing() : Promise.resolve(text),
    );
    expect(items.map(({ id }) => id)).toEqual(["https://two.example/jwks"]);
    expect(failures).toHaveLength(1);
  });
});

test("the switch of each endpoint is told as a number of its own: 1 while it is off", async () => {
  const { lines, log } = listening();
  const get = async (endpoint: string): Promise<Switch> =>
    endpoint === "get-pass" ? { on: false, reason: "secret" } : { on: true };
  await reportSwitches({ endpoints: ["get-pass", "list-trades"], switches: { get }, clock, log });
  expect(lines).toMatchObject([
    { endpoint: "get-pass", SwitchedOff: 1, level: "INFO" },
    { endpoint: "list-trades", SwitchedOff: 0, level: "INFO" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("secret");
  for (const line of lines)
    expect(line).toMatchObject({ _aws: { CloudWatchMetrics: [{ Dimensions: [["stage", "endpoint"]] }] } });
});

describe("reportDays", () => {
  const told = (...all: readonly Expiring[]) => {
    const { lines, log } = listening();
    reportDays(all, { clock, log });
    return lines;
  };
  const key = (name: string, expiresAt: number): Expiring => ({ kind: "credential", name, expiresAt });

  test.each([
    [30 * DAY_MS, 30],
    [30 * DAY_MS - 1, 29],
    [DAY_MS, 1],
    [1, 0],
  ])("counts whole days: %d ms are %d", (ms, days) => {
    expect(told(key("a", NOW + ms))).toMatchObject([{ DaysToExpiry: days, kind: "credential", name: "a" }]);
  });

  test("names the one of each kind that ends first, in any order", () => {
    const all: Expiring[] = [
      key("late", NOW + 9 * DAY_MS),
      key("soon", NOW + 2 * DAY_MS),
      key("gone", NOW),
      { kind: "truststore", name: "CN=CA", expiresAt: NOW + DAY_MS },
    ];
    for (const order of [all, all.toReversed()]) {
      const lines = told(...order).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? 1 : -1));
      expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(2);
      expect(lines).toMatchObject(
        expect.arrayContaining([
          expect.objectContaining({ name: "soon", DaysToExpiry: 2 }),
          expect.objectContaining({ name: "CN=CA", DaysToExpiry: 1 }),
        ]),
      );
    }
  });

  test("has no line for a kind of which nothing will end", () => {
    expect(told(key("gone", NOW), key("long gone", 0))).toEqual([]);
  });
});

describe("a credential that was replaced", () => {
  const row = (id: string, days: number | undefined, more: object = {}) => ({
    id: { S: id },
    kind: { S: "ramp-key" },
    owner: { S: "acme" },
    ...(days !== undefined && { expires_at: { N: String(NOW + days * DAY_MS) } }),
    ...more,
  });
  const replacedBy = (successor: string) => ({ successor: { S: successor } });
  const revoked = { revoked_at: { N: "1" } };

  test.each([
    ["by one that ends later", [row("old", 7, replacedBy("new")), row("new", 365)], ["new"]],
    ["by one that never ends", [row("old", 7, replacedBy("new")), row("new", undefined)], []],
    ["by one that ends no later", [row("old", 7, replacedBy("new")), row("new", 7)], ["old", "new"]],
    ["by one that was revoked", [row("old", 7, replacedBy("new")), row("new", 365, revoked)], ["old"]],
    ["by one that has ended", [row("old", 7, replacedBy("new")), row("new", 0)], ["old"]],
    ["by one that is not there", [row("old", 7, replacedBy("new"))], ["old"]],
    ["by one that cannot be read", [row("old", 7, replacedBy("new")), { id: { S: "new" } }], ["old"]],
    [
      "by one that was itself replaced, and ends sooner",
      [row("old", 7, replacedBy("mid")), row("mid", 1, replacedBy("new")), row("new", 365)],
      ["new"],
    ],
    [
      "by one that was revoked and replaced",
      [
        row("old", 7, replacedBy("mid")),
        row("mid", 9, { ...replacedBy("new"), ...revoked }),
        row("new", 365),
      ],
      ["new"],
    ],
    ["by one that it replaces", [row("a", 7, replacedBy("b")), row("b", 7, replacedBy("a"))], ["a", "b"]],
    ["by itself", [row("a", 7, replacedBy("a"))], ["a"]],
  ])("%s counts only where its end would stop somebody", async (_, Items, expected) => {
    for (const order of [Items, Items.toReversed()]) {
      const client = { send: async () => ({ Items: order }) };
      const found = await expiringCredentials({ client, name: "credentials" } as never, NOW);
      expect(found.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
    }
  });
});

test("credentials count while they are in force and will end; certificates are a kind of their own", async () => {
  const plain = { owner: "acme", scopes: [], createdAt: 0, expiresAt: NOW + DAY_MS };
  const { expiresAt: _end, ...endless } = plain;
  const rows: readonly Credential[] = [
    { ...plain, id: "ramp-key#1", kind: "ramp-key" },
    { ...plain, id: "exchange-key#1", kind: "exchange-key" },
    { ...plain, id: "jws#1", kind: "jws" },
    { ...plain, id: "certificate#1", kind: "certificate" },
    { ...plain, id: "certificate-name#1", kind: "certificate-name" },
    { ...plain, id: "ramp-key#revoked", kind: "ramp-key", revokedAt: 1 },
    { ...plain, id: "ramp-key#expired", kind: "ramp-key", expiresAt: NOW },
    { ...endless, id: "ramp-key#endless", kind: "ramp-key" },
  ];
  const Items = rows.map(({ id, kind, owner, expiresAt, revokedAt }) => ({
    id: { S: id },
    kind: { S: kind },
    owner: { S: owner },
    ...(expiresAt !== undefined && { expires_at: { N: String(expiresAt) } }),
    ...(revokedAt !== undefined && { revoked_at: { N: String(revokedAt) } }),
  }));
  const damaged = { id: { S: "ramp-key#damaged" }, expires_at: { N: String(NOW + 1) } };
  const client = { send: async () => ({ Items: [damaged, ...Items] }) };
  const found = await expiringCredentials({ client, name: "credentials" } as never, NOW);
  expect(found.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "credential ramp-key#1",
    "credential exchange-key#1",
    "credential jws#1",
    "client_certificate certificate#1",
    "client_certificate certificate-name#1",
  ]);
});

describe("the authorities of a truststore", () => {
  const authority = (name: string, days: number) =>
    createAuthority(name === "" ? "" : `CN=${name},O=Example`, {
      notBefore: NOW - DAY_MS,
      notAfter: NOW + days * DAY_MS,
    });

  test("are all read, with what stands between them, and by their own ends", async () => {
    const [one, two] = [await authority("One", 10), await authority("Two", 20)];
    const text = `# one\n${one.certificate}\r\nsubject: two\r\n${two.certificate.replaceAll("\n", "\r\n")}`;
    expect(expiringAuthorities(text)).toEqual([
      { kind: "truststore", name: expect.stringContaining("CN=One"), expiresAt: NOW + 10 * DAY_MS },
      { kind: "truststore", name: expect.stringContaining("CN=Two"), expiresAt: NOW + 20 * DAY_MS },
    ]);
  });

  test("is named by its serial number where its subject is empty, and does not keep back the others", async () => {
    const [nameless, one] = [await authority("", 10), await authority("One", 20)];
    const found = expiringAuthorities(`${nameless.certificate}\n${one.certificate}`);
    expect(found).toMatchObject([
      { name: expect.stringMatching(/^no subject, serial number [0-9A-F]+$/), expiresAt: NOW + 10 * DAY_MS },
      { name: expect.stringContaining("CN=One") },
    ]);
  });

  test.each(["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])(
    "are not taken from %j",
    (text) => {
      expect(() => expiringAuthorities(text)).toThrow();
    },
  );
});

describe("the environment of the function", () => {
  const environment = {
    STAGE_NAME: "test",
    CREDENTIALS_TABLE: "credentials",
    SETTINGS_TABLE: "settings",
    ENDPOINT_NAMES: "get-pass list-trades",
    TOKEN_JWKS_URLS: "https://one.example/jwks https://two.example/jwks",
  };

  test("lists names and addresses by a space", () => {
    expect(upkeepEnv.parse(environment)).toMatchObject({
      ENDPOINT_NAMES: ["get-pass", "list-trades"],
      TOKEN_JWKS_URLS: ["https://one.example/jwks", "https://two.example/jwks"],
    });
  });

  test.each([
    ["ENDPOINT_NAMES", ""],
    ["ENDPOINT_NAMES", "get-pass,list-trades"],
    ["TOKEN_JWKS_URLS", ""],
    ["TOKEN_JWKS_URLS", "issuer"],
    ["TRUSTSTORE_URL", "truststore.pem"],
  ])("is refused with %s=%j", (name, value) => {
    expect(upkeepEnv.safeParse({ ...environment, [name]: value }).success).toBe(false);
  });
});
