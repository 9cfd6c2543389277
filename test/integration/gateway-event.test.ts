import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { createAuthority, issueCertificate } from "../../local/identity/certificates.ts";
import { exchange } from "../../ops/wallet/http-exchange.ts";
import { type EventMember, eventHeaders, eventMembers } from "../support/event-members.ts";
import { startTestGateway } from "../support/local-gateway.ts";

const code = "export const echo = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });";
const echoes = (...routeKeys: string[]) =>
  Object.fromEntries(
    routeKeys.map((routeKey, index) => [`echo${index}`, { routeKey, function: { Handler: "index.echo" } }]),
  );

/** An authority, and what it has issued to a server and to a client of it. */
async function issueAll() {
  const validity = { notBefore: systemClock() - 3_600_000, notAfter: systemClock() + 3_600_000 };
  const authority = await createAuthority("CN=Authority,O=Example", validity);
  const server = { subject: "CN=server", use: "server", addresses: ["127.0.0.1"], ...validity } as const;
  const client = { subject: "CN=client,O=Example", use: "client", ...validity } as const;
  return {
    ca: authority.certificate,
    server: await issueCertificate(authority, server),
    client: await issueCertificate(authority, client),
  };
}

/** Paths of the leaves of an event, with their values; a member that the list names is a leaf as a whole. */
function leavesOf(value: object, list: readonly EventMember[], above = ""): [path: string, value: unknown][] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const path = `${above}${name}`;
    const isLeaf = typeof member !== "object" || member === null || list.some((known) => known.path === path);
    return isLeaf ? [[path, member]] : leavesOf(member, list, `${path}.`);
  });
}

/** What an event has and the list does not, the other way round, and what has another form. */
function differencesOf(value: object, list: readonly EventMember[], kinds: readonly string[]): string[] {
  const leaves = new Map(leavesOf(value, list));
  const expected = list.filter(({ present }) => present === "always" || kinds.includes(present));
  const missing = expected.filter(({ path }) => !leaves.has(path)).map(({ path }) => `${path} is missing`);
  const found = [...leaves].flatMap(([path, leaf]) => {
    const known = expected.find((member) => member.path === path);
    if (known === undefined) return [`${path} is not among them`];
    return known.form.test(JSON.stringify(leaf)) ? [] : [`${path} is ${JSON.stringify(leaf)}`];
  });
  return [...missing, ...found];
}

const certificates = await issueAll();
const { ca, server } = certificates;
const endpoints = echoes("GET /bare", "POST /full/{id}");
const plain = await startTestGateway({ endpoints, code });
const tls = { cert: server.certificate, key: server.key, ca };
const mutual = await startTestGateway({ endpoints, code, tls });
afterAll(async () => {
  await plain.close();
  await mutual.close();
});

const bare = async (): Promise<APIGatewayProxyEventV2> =>
  JSON.parse((await exchange(new URL(`${plain.url}/bare`), {}, {})).body) as APIGatewayProxyEventV2;

const FULL = ["with cookies", "with a query", "with parameters in its route", "with a body"];
const full = async (): Promise<APIGatewayProxyEventV2> => {
  const response = await fetch(`${plain.url}/full/1?a=1&a=2&b=%20`, {
    method: "POST",
    headers: { cookie: "a=1; b=2", "content-type": "application/json" },
    body: "{}",
  });
  return (await response.json()) as APIGatewayProxyEventV2;
};

const withCertificate = async (): Promise<APIGatewayProxyEventV2> => {
  const { ca, client } = certificates;
  const files = { ca, cert: client.certificate, key: client.key };
  return JSON.parse(
    (await exchange(new URL(`${mutual.url}/bare`), {}, files)).body,
  ) as APIGatewayProxyEventV2;
};

describe("an event has the members that are documented, and no others, in their forms", () => {
  test("for a request that has nothing but its target", async () => {
    expect(differencesOf(await bare(), eventMembers, [])).toEqual([]);
  });

  test("for one with cookies, a query, parameters and a body", async () => {
    const event = await full();
    expect(differencesOf(event, eventMembers, FULL)).toEqual([]);
    expect(event.cookies).toEqual(["a=1", "b=2"]);
  });

  test("for one of a client with a certificate", async () => {
    expect(differencesOf(await withCertificate(), eventMembers, ["with a client certificate"])).toEqual([]);
  });

  test("for the headers that the gateway adds", async () => {
    expect(differencesOf((await bare()).headers, eventHeaders, [])).toEqual([]);
    const known = new Set(eventHeaders.map(({ path }) => path));
    const { headers } = await full();
    const added = Object.fromEntries(Object.entries(headers).filter(([name]) => known.has(name)));
    expect(differencesOf(added, eventHeaders, ["with one of its own"])).toEqual([]);
  });
});

describe("a difference is found", () => {
  test.each<[string, (event: Record<string, unknown>) => void, RegExp]>([
    ["a member that is missing", (event) => delete event.version, /^version is missing$/],
    ["one that is too many", (event) => Object.assign(event, { path: "/" }), /^path is not among them$/],
    [
      "one below another",
      (event) => Object.assign(event.requestContext as object, { http: { method: "GET" } }),
      /^requestContext\.http\.path is missing$/,
    ],
    [
      "a null for what is absent",
      (event) => Object.assign(event, { queryStringParameters: null }),
      /^queryStringParameters is not among them$/,
    ],
    [
      "another form",
      (event) =>
        Object.assign(event.requestContext as object, { requestId: "2b0f7f0b-0000-4000-8000-000000000000" }),
      /^requestContext\.requestId is "2b0f7f0b/,
    ],
  ])("%s", async (_, change, difference) => {
    const event = await bare();
    change(event as unknown as Record<string, unknown>);
    expect(differencesOf(event, eventMembers, [])).toContainEqual(
      expect.stringMatching(difference) as string,
    );
  });
});

test("time and timeEpoch are one instant, and the trace id began in its second", async () => {
  const { requestContext, headers } = await bare();
  const [, day, time] = /^([^:]+):(.+)$/.exec(requestContext.time) as RegExpExecArray;
  const seconds = Math.floor(requestContext.timeEpoch / 1000);
  expect(Date.parse(`${day?.replaceAll("/", " ")} ${time}`) / 1000).toBe(seconds);
  expect(headers["x-amzn-trace-id"]?.split("-")[1]).toBe(seconds.toString(16));
});
