import { describe, expect, test } from "vitest";
import { parseStage, StageError } from "../../infra/stage.ts";
import { disposable, resourcesOf, synthesize, testStage, textOf } from "../support/synthesize.ts";

const open = {
  name: "api.test.example",
  certificateArn: "arn:aws:acm:eu-central-1:123456789012:certificate/a1",
};
const mutualTls = {
  name: "mtls.test.example",
  certificateArn: "arn:aws:acm:eu-central-1:123456789012:certificate/b2",
};

const domainsOf = (settings: Record<string, unknown>) => {
  const { api, data } = synthesize(testStage(settings));
  return {
    api: resourcesOf(api, "AWS::ApiGatewayV2::Api")[0]?.Properties,
    domains: resourcesOf(api, "AWS::ApiGatewayV2::DomainName"),
    mappings: resourcesOf(api, "AWS::ApiGatewayV2::ApiMapping"),
    buckets: resourcesOf(data, "AWS::S3::Bucket"),
    outputs: Object.keys(api.Outputs ?? {}),
  };
};

test("a stage that names no domains answers at the gateway's own address, and has no truststore", () => {
  const { api, domains, buckets, outputs } = domainsOf({});
  expect(api.DisableExecuteApiEndpoint).toBe(false);
  expect([domains, buckets, outputs]).toEqual([[], [], ["ApiUrl"]]);
});

describe("a stage that names its domains", () => {
  const given = domainsOf({ domains: { open, mutualTls }, brand: { basePath: "/api" } });

  test("closes the gateway's own address, which asks no client for a certificate", () => {
    expect(given.api.DisableExecuteApiEndpoint).toBe(true);
    expect(given.outputs).not.toContain("ApiUrl");
  });

  test("asks for client certificates on one of them and not on the other", () => {
    const asked = Object.fromEntries(
      given.domains.map(({ Properties }) => [
        Properties.DomainName,
        Properties.MutualTlsAuthentication !== undefined,
      ]),
    );
    expect(asked).toEqual({ [open.name]: false, [mutualTls.name]: true });
    for (const { Properties } of given.domains) {
      expect(Properties.DomainNameConfigurations).toMatchObject([
        { EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" },
      ]);
    }
  });

  test("serves the whole API on both, under the base path of the brand", () => {
    const mapped = given.mappings.map(({ Properties }) => [
      textOf(Properties.DomainName),
      Properties.ApiMappingKey,
      Properties.Stage,
    ]);
    expect(mapped.map(([, ...rest]) => rest)).toEqual([
      ["api", "$default"],
      ["api", "$default"],
    ]);
    expect(new Set(mapped.map(([domain]) => domain)).size).toBe(2);
  });

  test("keeps the truststore, every version of it, in a closed bucket that outlives the stacks", () => {
    const [bucket] = given.buckets;
    expect(bucket).toMatchObject({
      DeletionPolicy: "RetainExceptOnCreate",
      UpdateReplacePolicy: "Retain",
      Properties: {
        VersioningConfiguration: { Status: "Enabled" },
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      },
    });
    const domain = given.domains.find(({ Properties }) => Properties.DomainName === mutualTls.name);
    const uri = textOf(domain?.Properties.MutualTlsAuthentication.TruststoreUri);
    expect(uri).toBe(`s3://${textOf(bucket?.Properties.BucketName)}/truststore.pem`);
  });

  test("removes the truststore with the stack of a disposable stage", () => {
    const { buckets } = domainsOf({ ...disposable, domains: { open, mutualTls } });
    expect(buckets).toMatchObject([{ DeletionPolicy: "Delete", UpdateReplacePolicy: "Delete" }]);
  });

  test("may name the version of the truststore that is in use", () => {
    const { domains } = domainsOf({
      domains: { open, mutualTls: { ...mutualTls, truststoreKey: "ca/2026.pem", truststoreVersion: "v.7" } },
    });
    const { MutualTlsAuthentication } =
      domains.find(({ Properties }) => Properties.DomainName === mutualTls.name)?.Properties ?? {};
    expect(MutualTlsAuthentication.TruststoreVersion).toBe("v.7");
    expect(textOf(MutualTlsAuthentication.TruststoreUri)).toMatch(/\/ca\/2026\.pem$/);
  });

  test("may leave out the domain for clients with certificates", () => {
    const { api, domains, buckets } = domainsOf({ domains: { open } });
    expect([api.DisableExecuteApiEndpoint, domains.length, buckets.length]).toEqual([true, 1, 0]);
  });
});

describe("is refused with its path", () => {
  const token = { issuer: "https://identity.test", audience: "a", jwksUrl: "https://identity.test/jwks" };
  const idType = { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2027-07-01T00:00:00Z" };
  const problemOf = (settings: object): string => {
    try {
      parseStage(
        { name: "test", disposable: true, business: { token, idType }, passes: { token }, ...settings },
        "the file",
      );
      return "none";
    } catch (error) {
      if (error instanceof StageError) return error.message;
      throw error;
    }
  };

  test.each([
    ["a certificate domain without an open one", { domains: { mutualTls } }, "domains.open"],
    [
      "one domain for both",
      { domains: { open, mutualTls: { ...mutualTls, name: open.name } } },
      "domains.mutualTls.name",
    ],
    ["a name in capitals", { domains: { open: { ...open, name: "API.example" } } }, "domains.open.name"],
    [
      "an ARN of something else",
      { domains: { open: { ...open, certificateArn: "arn:aws:s3:::x" } } },
      "domains.open.certificateArn",
    ],
    ["an unknown credential", { passes: { token, credentials: "password" } }, "passes.credentials"],
    ["an unknown binding", { passes: { token, jwsBinding: "never" } }, "passes.jwsBinding"],
    ["passes without an issuer", { passes: {} }, "passes.token"],
  ])("%s", (_, settings, path) => {
    expect(problemOf(settings)).toContain(`  ${path}: `);
  });
});
