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
  const { api, data, domains } = synthesize(testStage(settings));
  return {
    api: resourcesOf(api, "AWS::ApiGatewayV2::Api")[0]?.Properties,
    domains: resourcesOf(domains, "AWS::ApiGatewayV2::DomainName"),
    mappings: resourcesOf(api, "AWS::ApiGatewayV2::ApiMapping"),
    buckets: resourcesOf(data, "AWS::S3::Bucket"),
    outputs: Object.keys({ ...api.Outputs, ...domains.Outputs }),
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

  test("tells for each domain the target of its DNS record, and the target's hosted zone", () => {
    const ofKind = (kind: RegExp) => given.outputs.filter((output) => kind.test(output));
    expect(ofKind(/^(?:Open|MutualTls)Target/)).toHaveLength(4);
    expect(ofKind(/^(?:Open|MutualTls)TargetZone/)).toHaveLength(2);
  });

  test("may name a public certificate that proves the ownership of a domain with a private one", () => {
    const ownershipVerificationCertificateArn = "arn:aws:acm:eu-central-1:123456789012:certificate/c3";
    const { domains } = domainsOf({
      domains: { open, mutualTls: { ...mutualTls, ownershipVerificationCertificateArn } },
    });
    const proofs = domains.map(
      ({ Properties }) => Properties.DomainNameConfigurations[0].OwnershipVerificationCertificateArn,
    );
    expect(proofs).toEqual([undefined, ownershipVerificationCertificateArn]);
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
      Properties.DomainName,
      Properties.ApiMappingKey,
      textOf(Properties.Stage),
    ]);
    expect(mapped).toEqual([
      [open.name, "api", "${Stage}"],
      [mutualTls.name, "api", "${Stage}"],
    ]);
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
    expect(uri).toBe("s3://countinghouse-test-truststore-123456789012-eu-central-1/truststore.pem");
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

  const inPlace = { disposable: false, account: "123456789012", region: "eu-central-1" };
  const arn = (place: string) => `arn:${place}:certificate/a1`;
  const withCertificate = (certificateArn: string) => ({ domains: { open: { ...open, certificateArn } } });

  test.each([
    [
      "another region",
      "aws:acm:us-east-1:123456789012",
      "must be of the stage's region, which is eu-central-1",
    ],
    [
      "another account",
      "aws:acm:eu-central-1:999999999999",
      "must be of the stage's account, which is 123456789012",
    ],
    [
      "another partition",
      "aws-cn:acm:eu-central-1:123456789012",
      "must be of the stage's partition, which is aws",
    ],
  ])("a certificate of %s", (_, place, message) => {
    const problem = problemOf({ ...inPlace, ...withCertificate(arn(place)) });
    expect(problem).toContain(`  domains.open.certificateArn: ${message}`);
    expect(problem.split("\n")).toHaveLength(2);
  });

  test.each([
    ["aws:acm:eu-central-1:123456789012", inPlace],
    ["aws-cn:acm:cn-north-1:123456789012", { ...inPlace, region: "cn-north-1" }],
    ["aws-us-gov:acm:us-gov-west-1:123456789012", { ...inPlace, region: "us-gov-west-1" }],
    ["aws-iso:acm:us-iso-east-1:123456789012", { ...inPlace, region: "us-iso-east-1" }],
    ["aws-iso-b:acm:us-isob-east-1:123456789012", { ...inPlace, region: "us-isob-east-1" }],
    ["aws-eusc:acm:eusc-de-east-1:123456789012", { ...inPlace, region: "eusc-de-east-1" }],
    // A stage that knows no place takes the certificate's word for it.
    ["aws:acm:us-east-1:999999999999", {}],
    ["aws:acm:us-east-1:999999999999", { region: "us-east-1" }],
  ])("but no certificate of the stage's own place (%s)", (place, stagePlace) => {
    expect(problemOf({ ...stagePlace, ...withCertificate(arn(place)) })).toBe("none");
  });

  test("the certificates of the domain for clients with certificates, both", () => {
    const elsewhere = arn("aws:acm:us-east-1:123456789012");
    const spoilt = {
      ...mutualTls,
      certificateArn: elsewhere,
      ownershipVerificationCertificateArn: elsewhere,
    };
    const problem = problemOf({ ...inPlace, domains: { open, mutualTls: spoilt } });
    expect(problem).toContain("  domains.mutualTls.certificateArn: ");
    expect(problem).toContain("  domains.mutualTls.ownershipVerificationCertificateArn: ");
  });

  test.each([
    [12, "eu-central-1"],
    [15, "eu-west-1"],
    [10, "ap-southeast-1"],
    [10, undefined],
  ])(
    "a name of more than %i letters with a truststore in %s, because S3 takes 63 in all",
    (lettersMax, region) => {
      const certificateArn = `arn:aws:acm:${region ?? "eu-central-1"}:123456789012:certificate/a1`;
      const settings = (length: number) => ({
        name: "a".repeat(length),
        ...(region !== undefined && { ...inPlace, region }),
        domains: { open: { ...open, certificateArn }, mutualTls: { ...mutualTls, certificateArn } },
      });
      expect(problemOf(settings(lettersMax))).toBe("none");
      expect(problemOf(settings(lettersMax + 1))).toContain(
        `  name: must have at most ${lettersMax} letters`,
      );
      if (region === undefined) return;
      const [bucket] = resourcesOf(synthesize(testStage(settings(lettersMax))).data, "AWS::S3::Bucket");
      expect(bucket?.Properties.BucketName).toHaveLength(63);
    },
  );
});
