import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { contractBrand } from "../../lib/brand.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { getEvent, runBundle } from "../support/bundle-runner.ts";
import { certificateAuthority } from "../support/certificates.ts";
import { signedEvent } from "../support/signing.ts";
import { recordStore } from "../support/store-recorder.ts";
import { resourcesOf, sorted, synthesize, testStage } from "../support/synthesize.ts";
import { tokenIssuer } from "../support/tokens.ts";
import { walletEvent } from "../support/wallet.ts";

const BUNDLE_BYTES_MAX = 300_000;

const issuer = await tokenIssuer();
const store = await recordStore([issuer.jwk]);
const token = {
  issuer: "https://identity.test",
  audience: "https://api.test/business",
  jwksUrl: store.jwksUrl,
};
const idType = { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2027-07-01T00:00:00Z" };
const { api, directory } = synthesize(testStage({ business: { token, idType }, passes: { token } }), {
  bundles: true,
});
const functions = resourcesOf(api, "AWS::Lambda::Function");

afterAll(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

beforeEach(() => store.calls.clear());

const iat = Math.floor(Date.now() / 1000);
const accessToken = await issuer.mint({ iss: token.issuer, aud: token.audience, iat, exp: iat + 600 });
const passToken = await issuer.mint({
  iss: token.issuer,
  aud: token.audience,
  iat,
  exp: iat + 600,
  scope: "passes.read",
});
const bearer = { authorization: `Bearer ${accessToken}` };
const { pem } = await (await certificateAuthority()).issue({ notAfter: Date.now() + 3_600_000 });
const certified = {
  headers: {
    authorization: `Bearer ${passToken}`,
    [contractBrand.versionHeader.toLowerCase()]: passContractVersions[0],
  },
  certificate: pem,
};
const orderId = "4f9c2f0e-6f0a-4b9e-9a51-0b7d5a0c1e2f";

/** Requests that take a function through everything it can ask of the store. */
const requestsOf: Readonly<Record<string, readonly unknown[]>> = {
  "get-transaction": [
    getEvent("/transaction/record-1", bearer, { id: "record-1" }),
    getEvent("/transaction/record-1?id_type=request_id", bearer, { id: "record-1" }),
  ],
  "list-transactions": [
    getEvent("/transactions?to=2027-01-01T00:00:00Z", bearer),
    getEvent("/transactions?request_id=request-1&from=2026-11-20&to=2026-12-01", bearer),
  ],
  "get-sell-order": [
    getEvent(`/sell-orders/${orderId}`, { "x-api-key": "A".repeat(43) }, { order_id: orderId }),
  ],
  "get-pass": [walletEvent({ reference: "record-1", ...certified })],
  "list-trades": [signedEvent({ now: Date.now() })],
};

/** What the store's own address and credentials are in Lambda. */
const storeEnvironment = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "key-id",
  AWS_SECRET_ACCESS_KEY: "not-a-secret",
  AWS_ENDPOINT_URL_DYNAMODB: store.url,
};

/** A body without the list that its record stands in, and a page of trades without its time. */
const withoutRecords = (body: string): string =>
  body.replace(/^\[(.*)\]$/, "$1").replace(/^\{"data":\[\],"metadata":\{"timestamp":\d+\}\}$/, "{}");

describe.each(endpoints)("the bundle of $entry", ({ contract, tables }) => {
  const properties = functions.find(
    ({ Properties }) => Properties.FunctionName === `countinghouse-test-${contract.name}`,
  )?.Properties;
  const bundle = path.join(directory, `asset.${path.basename(properties.Code.S3Key, ".zip")}`, "index.mjs");
  const bytes = readFileSync(bundle);
  const map: { sources: string[] } = JSON.parse(readFileSync(`${bundle}.map`, "utf8"));

  test("answers from its environment alone, is granted every read it makes, and makes every read it is granted", async () => {
    const events = requestsOf[contract.name] ?? [];
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
  });

  test(`has at most ${BUNDLE_BYTES_MAX} bytes, which a cold start has to read`, () => {
    expect(bytes.length).toBeLessThanOrEqual(BUNDLE_BYTES_MAX);
  });

  test("looks for credentials in its environment, and carries no other way", () => {
    const others = /@aws-sdk\/(?:credential-provider|nested-clients|token-providers)/;
    expect(map.sources.filter((source) => others.test(source))).toEqual([]);
    expect(map.sources.some((source) => source.endsWith("lib/dynamo/environment-credentials.ts"))).toBe(true);
  });

  test("carries none of what only an operator writes by", () => {
    expect(map.sources.filter((source) => /-register\.ts$|\/put-[a-z-]+\.ts$/.test(source))).toEqual([]);
  });

  test("has a source map that a stack trace finds", () => {
    expect(bytes.toString().trimEnd().split("\n").at(-1)).toBe("//# sourceMappingURL=index.mjs.map");
    expect(map.sources.some((source) => source.endsWith(`functions/${contract.name}.ts`))).toBe(true);
  });
});

test("the bundle of list-trades carries neither curve arithmetic nor a token library, and is under 230 KB", () => {
  const properties = functions.find(
    ({ Properties }) => Properties.FunctionName === "countinghouse-test-list-trades",
  )?.Properties;
  const bundle = path.join(directory, `asset.${path.basename(properties.Code.S3Key, ".zip")}`, "index.mjs");
  const { sources }: { sources: string[] } = JSON.parse(readFileSync(`${bundle}.map`, "utf8"));
  expect(sources.filter((source) => /@noble|\/jose\//.test(source))).toEqual([]);
  expect(readFileSync(bundle).length).toBeLessThan(230_000);
});
