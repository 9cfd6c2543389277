import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { standIns } from "../../infra/bundling/stand-ins.ts";
import { endpoints } from "../../infra/endpoints.ts";
import { ingest } from "../../infra/ingest.ts";
import { upkeep } from "../../infra/upkeep.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { authorize, type PolicyStatement } from "../../local/store/identity.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../local/store/local-account.ts";
import { readApplication } from "../../local/template/template.ts";
import { buildBundle, HTTP_IMPORT } from "../support/build-bundle.ts";
import { type Preparation, runBundle } from "../support/bundle-runner.ts";
import { describedCalls } from "../support/data-model.ts";
import { endpointRequests } from "../support/endpoint-requests.ts";
import { ingestEvent } from "../support/ingest-event.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";
import { projectPath } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { recordStore } from "../support/store-recorder.ts";
import { resourcesOf, sorted, synthesize, testStage } from "../support/synthesize.ts";
import { everySetting } from "../support/three-stages.ts";
import { tokenIssuer } from "../support/tokens.ts";

/** What is recorded of a bundle: its bytes, and the calls of a request. `--update=all` records it anew. */
const recordOf = (name: string): string => path.join(import.meta.dirname, "recorded", `${name}.json`);

/**
 * A cold start reads the whole bundle. When one has grown by 5 per cent since it was recorded, find out which module it
 * has taken in before you record it anew; one that is smaller by as much would grow back unnoticed.
 */
async function holdRecord(name: string, bytes: number, calls?: readonly string[]): Promise<void> {
  const file = recordOf(name);
  const recorded = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).bytes : 0;
  const isNear = bytes <= recorded * 1.05 && bytes >= recorded / 1.05;
  console.info(`${name}: ${bytes} bytes, ${recorded} when it was recorded`);
  const record = { bytes: isNear ? recorded : bytes, ...(calls !== undefined && { calls }) };
  await expect(`${JSON.stringify(record, null, 2)}\n`).toMatchFileSnapshot(file);
}

/** Modules that no bundle may carry, by what they are. */
const FORBIDDEN_MODULES: Readonly<Record<string, RegExp>> = {
  "ways to find credentials outside the environment":
    /@aws-sdk\/(?:credential-provider|nested-clients|token-providers)/,
  "the SDK's profile files and metadata service":
    /submodules\/config\/(?:shared-ini-file-loader|config-resolver)/,
  "the SDK's client, its protocols and its endpoint rules":
    /@aws-sdk\/(?:client-dynamodb|core|dynamodb-codec)|submodules\/(?:schema|endpoints|client\/middleware-stack)/,
  "event streams": /@smithy\/core\/.*event-streams|eventstream/,
  "the document client": /@aws-sdk\/(?:lib-dynamodb|util-dynamodb)/,
  "the whole of zod": /zod\/v4\/(?:classic|locales)|zod\/index/,
  "a second HTTP stack": /undici|jwks\/remote/,
  "curve arithmetic": /@noble/,
  "code that only operators write records with":
    /-register\.ts$|\/(?:put|void|withdraw)-[a-z-]+\.ts$|versioned-put\.ts$/,
};

const issuer = await tokenIssuer();
const store = await recordStore([issuer.jwk]);
const token = {
  issuer: "https://identity.test",
  audience: "https://api.test/business",
  jwksUrl: store.jwksUrl,
};
const idType = { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2027-07-01T00:00:00Z" };
/** The place of the local store, in whose ARNs its permissions are. */
const place = { account: LOCAL_ACCOUNT, region: LOCAL_REGION };
const { api, directory } = synthesize(
  testStage({ ...place, ingest: everySetting.ingest, business: { token, idType }, passes: { token } }),
  {
    bundles: true,
  },
);
const functions = resourcesOf(api, "AWS::Lambda::Function");

afterAll(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

beforeEach(() => {
  store.calls.clear();
  store.log.length = 0;
  store.requests.length = 0;
});

const { functions: deployed } = readApplication(directory);

const requestsOf = await endpointRequests(issuer, token);

/** The store's address and credentials, in the variables that Lambda would set. */
const storeEnvironment = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "key-id",
  AWS_SECRET_ACCESS_KEY: "not-a-secret",
  AWS_ENDPOINT_URL_DYNAMODB: store.url,
};

/** A clock that stands: on a busy machine a credential might otherwise be read again, because its five seconds are over. */
const standingClock = (): Preparation => ({
  first: projectPath("test/support/sealed-process.ts"),
  told: { now: Date.now(), storePort: Number(new URL(store.url).port) },
});

/** A body without the list around its record; an empty page of trades counts as an empty record. */
const withoutRecords = (body: string): string =>
  body.replace(/^\[(.*)\]$/, "$1").replace(/^\{"data":\[\],"metadata":\{"timestamp":\d+\}\}$/, "{}");

/** The stand-ins among the files of a bundle; the other files of their folder are parts of theirs. */
const standInsOf = ({ sources }: { readonly sources: readonly string[] }): string[] =>
  sorted(
    Object.values(standIns).filter((file) =>
      sources.some((source) => source.endsWith(`infra/bundling/${file}`)),
    ),
  );

describe.each(endpoints)("the bundle of $entry", (endpoint) => {
  const { contract, tables } = endpoint;
  const properties = functions.find(
    ({ Properties }) => Properties.FunctionName === `countinghouse-test-${contract.name}`,
  )?.Properties;
  const bundle = path.join(directory, `asset.${path.basename(properties.Code.S3Key, ".zip")}`, "index.mjs");
  const bytes = readFileSync(bundle);
  const map: { sources: string[] } = JSON.parse(readFileSync(`${bundle}.map`, "utf8"));

  test("answers from its environment alone, is granted every read it makes, and makes every read it is granted", async () => {
    const events = requestsOf[contract.name]?.() ?? [];
    const env = { ...properties.Environment.Variables, ...storeEnvironment };
    const answers = await runBundle(bundle, env, events);
    expect(answers.map(({ statusCode, body }) => [statusCode, withoutRecords(body)])).toEqual(
      events.map(() => [200, "{}"]),
    );
    const granted = tables.flatMap(({ table, actions, queriedIndexes }) => {
      const name = physicalTableName("test", table);
      return [
        ...actions.map((action) => `dynamodb:${action} on table/${name}`),
        ...queriedIndexes.map((index) => `dynamodb:Query on table/${name}/index/${index}`),
      ];
    });
    expect(sorted([...store.calls])).toEqual(sorted(granted));
    const told = describedCalls(contract.name).flatMap(({ call, consistency }) =>
      consistency.map((word) => `${call.replace(" on ", " on table/countinghouse-test-")}, ${word}`),
    );
    const reads = store.log.filter((call) => !call.startsWith("dynamodb:UpdateItem"));
    expect(told, "docs/data-model.md").toEqual(expect.arrayContaining(reads));
  });

  test("may make all its calls to the store under its role, and loses one with each grant that is taken away", async () => {
    const env = { ...properties.Environment.Variables, ...storeEnvironment };
    await runBundle(bundle, env, requestsOf[contract.name]?.() ?? []);
    const { permissions } = deployed.find(({ name }) => name.endsWith(`-${contract.name}`)) ?? {};
    const grants = (permissions?.statements ?? []).flatMap(({ effect, actions, resources }) =>
      actions.flatMap((action) =>
        resources
          // The same for a restored copy, which the environment does not name.
          .filter((resource) => !/-r\*(?:$|\/index\/)/.test(resource))
          .map((resource) => ({ effect, actions: [action], resources: [resource] })),
      ),
    );
    const refusals = (statements: readonly PolicyStatement[]) =>
      store.requests.filter((request) => authorize({ accessKeyId: "", arn: "", statements }, request));
    expect(refusals(grants)).toEqual([]);
    expect(grants.length).toBeGreaterThan(1);
    for (const spared of grants)
      expect([spared, refusals(grants.filter((grant) => grant !== spared))]).not.toEqual([spared, []]);
  });

  test("asks the store for exactly what a request needs once it knows the caller, and has grown by 5 per cent at most", async () => {
    const event = requestsOf[contract.name]?.()[0];
    const env = { ...properties.Environment.Variables, ...storeEnvironment };
    // The recorder refuses the first charge that it sees.
    await runBundle(bundle, env, [event]);
    const callsOf = async (requests: number): Promise<string[]> => {
      store.log.length = 0;
      const events = Array.from({ length: requests }, () => event);
      await runBundle(bundle, env, events, standingClock());
      return store.log.map((call) => call.replace("dynamodb:", ""));
    };
    const ofTwo = await callsOf(2);
    const calls = (await callsOf(3)).slice(ofTwo.length);
    expect(calls.length).toBeGreaterThan(0);
    await holdRecord(contract.name, bytes.length, calls);
  });

  test.each(Object.entries(FORBIDDEN_MODULES))("carries none of %s", (_, forbidden) => {
    expect(map.sources.filter((source) => forbidden.test(source))).toEqual([]);
  });

  test("carries the plan of its own endpoint alone, and code for lists only where it lists", () => {
    const plans = endpoints.filter(({ contract: { name } }) =>
      map.sources.some((source) => source.includes("/lib/") && source.endsWith(`/${name}.ts`)),
    );
    expect(plans.map((planned) => planned.contract.name)).toEqual([contract.name]);
    const lists = map.sources.filter((source) =>
      /\/(?:transaction-list-store|transaction-search|page-builder)\.ts$/.test(source),
    );
    expect(lists).toHaveLength(contract.name === "list-transactions" ? 3 : 0);
  });

  test("is what the tests of stand-ins build and run, byte for byte", async () => {
    const { file } = await buildBundle(endpoint, endpoint.replaced, scratchDirectory());
    expect(bytes.equals(readFileSync(file))).toBe(true);
  });

  test("carries the stand-ins that its endpoint names, and no other", () => {
    expect(standInsOf(map)).toEqual(sorted(endpoint.replaced.map((module) => standIns[module])));
  });

  test("loads no HTTP that TLS does not need", () => {
    expect(bytes.toString()).not.toMatch(HTTP_IMPORT);
  });

  test("loads compression while it starts only where records are compressed, and source maps nowhere", () => {
    const loaded = /from\s*"node:(?:zlib|module)"/g;
    const expected = contract.name === "list-trades" ? ["zlib"] : [];
    expect([...bytes.toString().matchAll(loaded)].map(([all]) => /zlib|module/.exec(all)?.[0])).toEqual(
      expected,
    );
  });

  test("has a source map that a stack trace finds", () => {
    expect(bytes.toString().trimEnd().split("\n").at(-1)).toBe("//# sourceMappingURL=index.mjs.map");
    expect(map.sources.some((source) => source.endsWith(`functions/${contract.name}.ts`))).toBe(true);
  });
});

describe(`the bundle of ${upkeep.entry}`, () => {
  const properties = functions.find(
    ({ Properties }) => Properties.FunctionName === `countinghouse-test-${upkeep.name}`,
  )?.Properties;
  const bundle = path.join(directory, `asset.${path.basename(properties.Code.S3Key, ".zip")}`, "index.mjs");
  const bytes = readFileSync(bundle);
  const map: { sources: string[] } = JSON.parse(readFileSync(`${bundle}.map`, "utf8"));

  test("does each job from its environment alone, with all its grants and with no call that they do not cover", async () => {
    const env = { ...properties.Environment.Variables, ...storeEnvironment };
    await runBundle(bundle, env, [{ job: "watch" }, { job: "expiry" }]);
    expect(sorted([...store.calls])).toEqual([
      "dynamodb:GetItem on table/countinghouse-test-Settings",
      "dynamodb:PutItem on table/countinghouse-test-Settings",
      "dynamodb:Scan on table/countinghouse-test-Credentials",
    ]);
    expect(
      sorted(
        describedCalls(upkeep.name).map(({ call }) => call.replace(" on ", " on table/countinghouse-test-")),
      ),
    ).toEqual(sorted([...store.calls]));
    const { permissions } = deployed.find(({ name }) => name.endsWith(`-${upkeep.name}`)) ?? {};
    const statements = permissions?.statements ?? [];
    const refusals = store.requests.filter((request) =>
      authorize({ accessKeyId: "", arn: "", statements }, request),
    );
    expect(refusals).toEqual([]);
    expect(store.requests.length).toBeGreaterThan(endpoints.length);
  });

  test("has grown by 5 per cent at most", () => holdRecord(upkeep.name, bytes.length));

  test("carries no endpoint, no second SDK, and none of the code that operators write records with", () => {
    const forbidden =
      /\/functions\/(?!report-expiry)|\/plan\.ts$|client-(?!dynamodb)[a-z0-9]+\/|middy|(?<!kept-key-set)-register\.ts$/;
    expect(map.sources.filter((source) => forbidden.test(source))).toEqual([]);
    expect(map.sources.some((source) => source.endsWith(upkeep.entry))).toBe(true);
  });

  test("carries the SDK as it is published, and no stand-in", () => {
    expect(map.sources.filter((source) => source.includes("infra/bundling/"))).toEqual([]);
  });
});

describe(`the bundle of ${ingest.entry}`, () => {
  const ofIngest = functions.find(
    ({ Properties }) => Properties.FunctionName === `countinghouse-test-${ingest.name}`,
  )?.Properties;
  const bundle = path.join(directory, `asset.${path.basename(ofIngest.Code.S3Key, ".zip")}`, "index.mjs");
  const bytes = readFileSync(bundle);
  const map: { sources: string[] } = JSON.parse(readFileSync(`${bundle}.map`, "utf8"));

  test("takes in every kind from its environment alone, with all its grants and with no call that they do not cover", async () => {
    const sent: string[] = [];
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      sent.push(
        `${String(request.headers["x-amz-target"])} with a trace: ${"x-amzn-trace-id" in request.headers}`,
      );
      const { Entries }: { Entries: { Id: string; MessageBody: string }[] } = JSON.parse(await text(request));
      // The SDK compares the digests of what it has sent.
      const digestOf = (body: string) => createHash("md5").update(body).digest("hex");
      const Successful = Entries.map(({ Id, MessageBody }) => ({
        Id,
        MD5OfMessageBody: digestOf(MessageBody),
      }));
      response.setHeader("Content-Type", "application/x-amz-json-1.0");
      response.end(JSON.stringify({ Successful, Failed: [] }));
    };
    const queue = createServer((request, response) => void take(request, response));
    const port = await listenOnLoopback(queue);
    const env = {
      ...ofIngest.Environment.Variables,
      ...storeEnvironment,
      // The SDK sends to the address of the queue.
      REJECTED_QUEUE_URL: `http://127.0.0.1:${port}/${LOCAL_ACCOUNT}/countinghouse-test-records-rejected`,
      // Lambda sets both; the SDK hands on the second one only beside the first.
      AWS_LAMBDA_FUNCTION_NAME: "countinghouse-test-ingest-records",
      _X_AMZN_TRACE_ID: "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0;Lineage=1:fcafcb8d:0",
    };
    try {
      const answers = await runBundle(bundle, env, [ingestEvent("{}")], { told: { remainingMs: 60_000 } });
      expect(answers).toEqual([{ batchItemFailures: [] }]);
    } finally {
      queue.close();
    }
    expect(sent).toEqual(["AmazonSQS.SendMessageBatch with a trace: true"]);
    const granted = ingest.tables.flatMap(({ table, actions }) =>
      actions.map((action) => `dynamodb:${action} on table/countinghouse-test-${table}`),
    );
    expect(sorted([...store.calls])).toEqual(sorted(granted));
    const { permissions } = deployed.find(({ name }) => name.endsWith(`-${ingest.name}`)) ?? {};
    const statements = permissions?.statements ?? [];
    const refusals = store.requests.filter((request) =>
      authorize({ accessKeyId: "", arn: "", statements }, request),
    );
    expect(refusals).toEqual([]);
  });

  test("has grown by 5 per cent at most", () => holdRecord(ingest.name, bytes.length));

  test("carries the SDK's clients of DynamoDB and SQS as they are published, and no stand-in and no endpoint", () => {
    expect(map.sources.filter((source) => source.includes("infra/bundling/"))).toEqual([]);
    const forbidden = /\/functions\/(?!ingest-records)|\/lib\/(?:http|auth|rate-limit|upkeep)\/|middy|jose/;
    expect(map.sources.filter((source) => forbidden.test(source))).toEqual([]);
    const clients = map.sources.flatMap(
      (source) => /@aws-sdk\/(client-(?!sso|sts|signin|cognito)[a-z]+)\//.exec(source)?.[1] ?? [],
    );
    expect(sorted([...new Set(clients)])).toEqual(["client-dynamodb", "client-sqs"]);
  });
});

test("bundles that read no token carry no token library", () => {
  for (const name of ["list-trades", "get-sell-order"]) {
    const { Properties } =
      functions.find((found) => found.Properties.FunctionName === `countinghouse-test-${name}`) ?? {};
    const asset = `asset.${path.basename(Properties.Code.S3Key, ".zip")}`;
    const text = readFileSync(path.join(directory, asset, "index.mjs.map"), "utf8");
    const { sources }: { sources: string[] } = JSON.parse(text);
    expect(sources.filter((source) => source.includes("/jose/"))).toEqual([]);
  }
});

describe("a stage with functions.stockSdk", () => {
  let stock: ReturnType<typeof synthesize>;
  beforeAll(() => {
    stock = synthesize(testStage({ functions: { stockSdk: true } }), { bundles: true });
  });
  afterAll(() => rmSync(stock.directory, { recursive: true }));

  test("carries the SDK as it is published, and no stand-in", async () => {
    const built = await Promise.all(
      [...endpoints, upkeep].map((built) => buildBundle(built, [], scratchDirectory())),
    );
    const codes = resourcesOf(stock.api, "AWS::Lambda::Function").map(({ Properties }) => {
      const asset = `asset.${path.basename(Properties.Code.S3Key, ".zip")}`;
      return readFileSync(path.join(stock.directory, asset, "index.mjs"), "utf8");
    });
    expect(sorted(codes)).toEqual(sorted(built.map(({ file }) => readFileSync(file, "utf8"))));
    for (const { metafile } of built)
      expect(Object.keys(metafile.inputs).filter((file) => file.startsWith("infra/bundling/"))).toEqual([]);
  });
});
