import { Sha256 } from "@smithy/core/checksum";
import smithy from "@smithy/core/package.json" with { type: "json" };
import { SignatureV4 } from "@smithy/signature-v4";
import type { Metafile } from "esbuild";
import { afterAll, describe, expect, test, vi } from "vitest";
import { type Endpoint, endpoints } from "../../infra/endpoints.ts";
import project from "../../package.json" with { type: "json" };
import { buildBundle } from "../support/build-bundle.ts";
import { type BundleAnswers, runBundle } from "../support/bundle-runner.ts";
import { NOW } from "../support/chain.ts";
import { endpointRequests } from "../support/endpoint-requests.ts";
import { projectPath } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { standInFaults } from "../support/stand-in-faults.ts";
import { type HeardRequest, recordStore, type StoreError } from "../support/store-recorder.ts";
import { resourcesOf, synthesize, testStage } from "../support/synthesize.ts";
import { tokenIssuer } from "../support/tokens.ts";

vi.useFakeTimers({ now: NOW, toFake: ["Date"] });

const issuer = await tokenIssuer();
const store = await recordStore([issuer.jwk]);
afterAll(() => {
  vi.useRealTimers();
  store.close();
});

const token = {
  issuer: "https://identity.test",
  audience: "https://api.test/business",
  jwksUrl: store.jwksUrl,
};
const idType = { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2027-07-01T00:00:00Z" };
const { api } = synthesize(testStage({ business: { token, idType }, passes: { token } }));
const eventsOf = await endpointRequests(issuer, token);
const directory = scratchDirectory();

/** A function that reads the store for somebody. */
type Called = Pick<Endpoint, "entry" | "replaced"> & { readonly name: string };

const called: readonly Called[] = endpoints.map(({ contract: { name }, entry, replaced }) => ({
  name,
  entry,
  replaced,
}));
const calledBy = (name: string): Called => called.find((one) => one.name === name) as Called;

const built = new Map(
  await Promise.all(
    called.map(async (one) => {
      const [ours, stock] = await Promise.all([
        buildBundle(one, one.replaced, directory),
        buildBundle(one, [], directory),
      ]);
      return [one, { ours, stock }] as const;
    }),
  ),
);
const buildsOf = (one: Called) => built.get(one) as NonNullable<ReturnType<typeof built.get>>;

/** A variable that is undefined is not set. */
type Environment = Readonly<Record<string, string | undefined>>;

const TRACE = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";

/** What Lambda itself sets, as far as an SDK looks at it. */
const lambdaEnvironment = {
  AWS_REGION: "eu-central-1",
  AWS_DEFAULT_REGION: "eu-central-1",
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  AWS_LAMBDA_FUNCTION_NAME: "countinghouse-test",
  AWS_ACCESS_KEY_ID: "ASIAEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "not-a-secret",
  AWS_SESSION_TOKEN: "a-session",
  _X_AMZN_TRACE_ID: TRACE,
  // There are no profiles in it.
  HOME: scratchDirectory(),
};

interface Circumstances {
  readonly environment?: Environment;
  readonly fails?: (request: HeardRequest) => StoreError | undefined;
}

interface Conversation {
  readonly answers: BundleAnswers;
  readonly heard: readonly HeardRequest[];
}

/** Everything that a bundle asks of the store and of the issuer, and all that it answers, with the clock at `NOW`. */
async function converse(
  { name }: Called,
  file: string,
  { environment = {}, fails = () => undefined }: Circumstances,
): Promise<Conversation> {
  const lambda = resourcesOf(api, "AWS::Lambda::Function").find(
    ({ Properties }) => Properties.FunctionName === `countinghouse-test-${name}`,
  );
  store.calls.clear();
  store.heard.length = 0;
  store.fails = (_, request) => fails(request);
  const env = { ...lambda?.Properties.Environment.Variables, ...lambdaEnvironment, ...environment };
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  const answers = await runBundle(file, given as Record<string, string>, eventsOf[name]?.() ?? [], {
    first: projectPath("test/support/sealed-process.ts"),
    told: { now: NOW, storePort: Number(new URL(store.url).port) },
  });
  return { answers, heard: [...store.heard] };
}

/** What names the program that asks, one of which the SDK signs. A signature, and the hash in it, is judged by itself. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  "authorization",
  "user-agent",
  "x-amz-content-sha256",
  "x-amz-user-agent",
]);

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** JSON with the members of each object in the order of their names: the SDK writes them in its own order. */
const inOrder = (json: string): string =>
  JSON.stringify(JSON.parse(json), (_, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(byName))
      : value,
  );

/** A request without its signature, in an order that does not depend on which of two came first. */
const comparable = (heard: readonly HeardRequest[]): string[] =>
  heard
    .map(({ headers, body, ...request }) => {
      const compared = Object.entries(headers).filter(([name]) => !NOT_COMPARED.has(name));
      return JSON.stringify({ ...request, headers: compared.sort(byName), body: body && inOrder(body) });
    })
    .sort();

/** The `authorization` that the SDK's signer gives a request as it came over the wire. */
async function signatureOf(
  { method, path, headers, body }: HeardRequest,
  given: Environment,
): Promise<string> {
  const { AWS_REGION = "", AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = given;
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  const signer = new SignatureV4({ service: "dynamodb", region: AWS_REGION, credentials, sha256: Sha256 });
  const { authorization: _signature, "x-amz-content-sha256": _hash, ...asked } = headers;
  const request = { method, protocol: "https:", hostname: headers.host ?? "", path, headers: asked, body };
  const signed = await signer.sign(request, { signingDate: new Date(NOW) });
  return signed.headers.authorization ?? "";
}

/** Runs the bundle with stand-ins and the one without. Returns what both said, once that is the same. */
async function converseAlike(one: Called, circumstances: Circumstances): Promise<Conversation> {
  const { ours, stock } = buildsOf(one);
  const expected = await converse(one, stock.file, circumstances);
  const conversation = await converse(one, ours.file, circumstances);
  expect(comparable(conversation.heard)).toEqual(comparable(expected.heard));
  expect(conversation.answers).toEqual(expected.answers);
  const environment = { ...lambdaEnvironment, ...circumstances.environment };
  for (const request of storeRequests(conversation))
    expect(request.headers.authorization).toBe(await signatureOf(request, environment));
  return conversation;
}

/** Those of the requests that went to the store, and not to the issuer. */
const storeRequests = ({ heard }: Conversation): readonly HeardRequest[] =>
  heard.filter(({ method }) => method === "POST");

const statusesOf = ({ answers }: Conversation): number[] => [
  ...new Set(answers.map(({ statusCode }) => statusCode)),
];

/** Fails every read twice, by a fault and by a throttle. A charge is tried once, and is spared. */
function failTwice({ headers }: HeardRequest): StoreError | undefined {
  if (headers["amz-sdk-request"] === "attempt=1; max=3") return { status: 500, name: "InternalServerError" };
  if (headers["amz-sdk-request"] === "attempt=2; max=3") return { status: 400, name: "ThrottlingException" };
  return undefined;
}

describe.each(called)("the bundle of $entry", (one) => {
  const { ours, stock } = buildsOf(one);

  test("carries each of its stand-ins, and nothing of what they replace", () => {
    expect(one.replaced.length).toBeGreaterThan(0);
    expect(standInFaults(one.replaced, ours.metafile, stock.metafile)).toEqual([]);
  });

  test("asks the store for the same with and without stand-ins, signed as the SDK signs, where Lambda has put it", async () => {
    const conversation = await converseAlike(one, {});
    expect(statusesOf(conversation)).toEqual([200]);
    for (const { headers } of storeRequests(conversation))
      expect(headers).toMatchObject({
        "user-agent": `countinghouse/${project.version} md/smithy#${smithy.version}`,
        host: "dynamodb.eu-central-1.amazonaws.com",
        "x-amz-security-token": lambdaEnvironment.AWS_SESSION_TOKEN,
        "x-amzn-trace-id": TRACE,
        authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=ASIAEXAMPLE\/.*host;.*Signature=/),
      });
  });

  test("repeats what failed in the same way with and without them", async () => {
    const conversation = await converseAlike(one, { fails: failTwice });
    expect(statusesOf(conversation)).toEqual([200]);
    const attempts = storeRequests(conversation).map(({ headers }) => headers["amz-sdk-request"]);
    const count = (attempt: string) => attempts.filter((other) => other === attempt).length;
    expect(count("attempt=3; max=3")).toBeGreaterThan(2);
    expect(count("attempt=3; max=3")).toBe(count("attempt=1; max=3"));
  });
});

describe("a function that reads single records and a batch, with and without stand-ins,", () => {
  const getPass = calledBy("get-pass");
  const override = { AWS_ENDPOINT_URL_DYNAMODB: store.url };
  const local = new URL(store.url).host;

  test.each<[what: string, environment: Environment, headers: Readonly<Record<string, string | undefined>>]>([
    [
      "has credentials that do not end",
      { AWS_SESSION_TOKEN: undefined },
      { "x-amz-security-token": undefined },
    ],
    ["has an empty session token", { AWS_SESSION_TOKEN: "" }, { "x-amz-security-token": undefined }],
    [
      "is in another partition",
      { AWS_REGION: "cn-north-1" },
      { host: "dynamodb.cn-north-1.amazonaws.com.cn" },
    ],
    [
      "asks for FIPS",
      { AWS_REGION: "us-east-1", AWS_USE_FIPS_ENDPOINT: "true" },
      { host: "dynamodb-fips.us-east-1.amazonaws.com" },
    ],
    ["asks for no FIPS", { AWS_USE_FIPS_ENDPOINT: "false" }, { host: "dynamodb.eu-central-1.amazonaws.com" }],
    ["asks for IPv6", { AWS_USE_DUALSTACK_ENDPOINT: "true" }, { host: "dynamodb.eu-central-1.api.aws" }],
    ["has an endpoint of its own", override, { host: local }],
    ["has an endpoint for all services", { AWS_ENDPOINT_URL: store.url }, { host: local }],
    [
      "is to ignore its endpoint",
      { ...override, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" },
      { host: "dynamodb.eu-central-1.amazonaws.com" },
    ],
    ["is outside Lambda", { AWS_LAMBDA_FUNCTION_NAME: undefined }, { "x-amzn-trace-id": undefined }],
  ])("asks the store for the same when it %s", async (_, environment, headers) => {
    const conversation = await converseAlike(getPass, { environment });
    expect(statusesOf(conversation)).toEqual([200]);
    const requests = storeRequests(conversation);
    const operations = requests.map((request) => request.headers["x-amz-target"]?.split(".").at(-1));
    expect(new Set(operations)).toEqual(new Set(["BatchGetItem", "GetItem", "UpdateItem"]));
    for (const [name, value] of Object.entries(headers))
      expect(requests.map((request) => request.headers[name])).toEqual(requests.map(() => value));
  });

  test("gives up a store that is down after the same requests", async () => {
    const fails = () => ({ status: 500, name: "InternalServerError" });
    const conversation = await converseAlike(getPass, { fails });
    expect(statusesOf(conversation)).toEqual([503]);
  });
});

describe("a stand-in that does nothing any more is found", () => {
  const { ours, stock } = buildsOf(calledBy("get-pass"));
  const module = "@aws-sdk/client-dynamodb";
  const bundle = Object.keys(ours.metafile.outputs).find((file) => file.endsWith(".mjs")) as string;
  const output = ours.metafile.outputs[bundle] as Metafile["outputs"][string];
  /** The account of our bundle, had one file more, or less, come into it. */
  const withBytes = (file: string, bytesInOutput: number): Metafile => ({
    ...ours.metafile,
    outputs: { [bundle]: { ...output, inputs: { ...output.inputs, [file]: { bytesInOutput } } } },
  });

  test("when the SDK imports the module no longer", () => {
    const later = { ...stock.metafile, inputs: {} };
    expect(standInFaults([module], ours.metafile, later)).toEqual([`the SDK no longer imports ${module}`]);
  });

  test("when nothing of it is used", () => {
    const standIn = "infra/bundling/store-client.ts";
    expect(standInFaults([module], withBytes(standIn, 0), stock.metafile)).toEqual([
      `nothing of ${standIn} is in the bundle`,
    ]);
  });

  test.each(["", "node_modules/@aws-sdk/lib-dynamodb/"])(
    "when the SDK comes at the module by another way, from %snode_modules",
    (place) => {
      const file = `${place}node_modules/@aws-sdk/client-dynamodb/dist-es/DynamoDBClient.js`;
      expect(standInFaults([module], withBytes(file, 1), stock.metafile)).toEqual([
        `${file} is in the bundle beside infra/bundling/store-client.ts`,
      ]);
    },
  );

  test("when the build does not know it", () => {
    expect(standInFaults([module], stock.metafile, stock.metafile)).toEqual(
      expect.arrayContaining([`${module} is found elsewhere`]),
    );
  });
});
