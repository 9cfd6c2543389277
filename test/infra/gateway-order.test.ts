import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { App, Stack } from "aws-cdk-lib";
import { HttpApi, HttpMethod, type HttpRoute } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpUrlIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { describe, expect, test } from "vitest";
import { GatewayDeployment } from "../../infra/constructs/gateway-deployment.ts";
import {
  isOfUpkeep,
  resourcesOf,
  synthesize,
  type Template,
  testStage,
  textOf,
} from "../support/synthesize.ts";

const certificate = (name: string) => `arn:aws:acm:eu-central-1:123456789012:certificate/${name}`;
const domains = {
  open: { name: "api.test.example", certificateArn: certificate("a1") },
  mutualTls: { name: "mtls.test.example", certificateArn: certificate("b2") },
};
const { api, domains: domainNames } = synthesize(testStage({ domains }));

/** The resources of a template that a value refers to. */
function referencesIn(value: unknown, known: ReadonlySet<string>): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "Ref" || key === "Fn::GetAtt") return [inner].flat().filter((id) => known.has(id as string));
    return referencesIn(inner, known);
  }) as string[];
}

/** Everything that CloudFormation makes before a resource, and deletes after it. */
function prerequisitesOf({ Resources }: Template, id: string): ReadonlySet<string> {
  const known = new Set(Object.keys(Resources));
  const found = new Set<string>();
  const follow = (from: string): void => {
    const { Properties, DependsOn = [] } = Resources[from] ?? {};
    for (const next of [...DependsOn, ...referencesIn(Properties, known)]) {
      if (found.has(next)) continue;
      found.add(next);
      follow(next);
    }
  };
  follow(id);
  return found;
}

const idsOf = (...types: string[]): string[] =>
  types.flatMap((type) =>
    resourcesOf(api, type)
      .filter((resource) => !isOfUpkeep(resource))
      .map(({ id }) => id),
  );

describe("no path answers 404 by itself, because", () => {
  test("a mapping is made after everything that an answer needs, and deleted before it", () => {
    const needed = idsOf(
      "AWS::ApiGatewayV2::Route",
      "AWS::ApiGatewayV2::Integration",
      "AWS::ApiGatewayV2::Deployment",
      "AWS::ApiGatewayV2::Stage",
      "AWS::Lambda::Permission",
      "AWS::Lambda::Function",
      "AWS::IAM::Role",
      "AWS::IAM::Policy",
    );
    expect(needed.length).toBeGreaterThan(30);
    const mappings = resourcesOf(api, "AWS::ApiGatewayV2::ApiMapping");
    expect(mappings).toHaveLength(2);
    for (const { id } of mappings)
      expect([...prerequisitesOf(api, id)]).toEqual(expect.arrayContaining(needed));
  });

  test("the gateway serves one snapshot of all routes, and no route by itself", () => {
    const [stage, ...others] = resourcesOf(api, "AWS::ApiGatewayV2::Stage");
    const [snapshot, ...more] = idsOf("AWS::ApiGatewayV2::Deployment");
    expect([others, more]).toEqual([[], []]);
    expect(stage?.Properties.AutoDeploy).toBe(false);
    expect(textOf(stage?.Properties.DeploymentId)).toBe(`\${${snapshot}}`);
    const routes = idsOf("AWS::ApiGatewayV2::Route", "AWS::Lambda::Permission");
    expect(api.Resources[snapshot ?? ""]?.DependsOn).toEqual(expect.arrayContaining(routes));
  });

  test("an API that is made anew takes the mappings over, without a moment in which there is none", () => {
    const mapping = loadAwsServiceSpecSync()
      .lookup("resource", "cloudFormationType", "equals", "AWS::ApiGatewayV2::ApiMapping")
      .at(0);
    const replacing = Object.entries(mapping?.properties ?? {}).flatMap(([name, { causesReplacement }]) =>
      causesReplacement === undefined || causesReplacement === "no" ? [] : [name],
    );
    expect(replacing).toEqual(["DomainName"]);
  });

  test("the domain names are not in the stack of the API, and outlive it", () => {
    expect(idsOf("AWS::ApiGatewayV2::DomainName")).toEqual([]);
    expect(resourcesOf(domainNames, "AWS::ApiGatewayV2::DomainName")).toHaveLength(2);
    expect(JSON.stringify(domainNames.Outputs)).not.toContain('"Export"');
    expect(JSON.stringify(api)).not.toContain("Fn::ImportValue");
  });
});

describe("a snapshot", () => {
  const idOf = (settings: Readonly<Record<string, unknown>>): string | undefined =>
    resourcesOf(synthesize(testStage(settings)).api, "AWS::ApiGatewayV2::Deployment")[0]?.id;

  test.each([
    ["an origin of browsers", { corsOrigins: ["https://app.example.com"] }],
    ["the closing of the gateway's own address", { domains }],
  ])("is made anew for a change of what it holds: %s", (_, settings) => {
    expect(idOf(settings)).not.toBe(idOf({}));
  });

  test.each([
    ["throttles", { throttle: { owners: 9 } }],
    ["functions", { functions: { memoryMb: 256 } }],
    ["logs", { logRetentionDays: 30, accessLogRetentionDays: 7 }],
    ["limits", { rateLimits: { ramp: [{ name: "r", burst: 9, refillTokens: 1, refillWindowMs: 1_000 }] } }],
  ])("stays for a change of what it does not hold: %s", (_, settings) => {
    expect(idOf(settings)).toBe(idOf({}));
  });

  /** The id of the snapshot of an API with these routes, by path, each with the address of its integration. */
  function idOfRoutes(paths: Readonly<Record<string, string>>): string {
    const stack = new Stack(new App({ analyticsReporting: false }), "Routes");
    const httpApi = new HttpApi(stack, "Api", { createDefaultStage: false });
    const routes: HttpRoute[] = Object.entries(paths).flatMap(([path, url]) =>
      httpApi.addRoutes({ path, methods: [HttpMethod.GET], integration: new HttpUrlIntegration("Url", url) }),
    );
    return stack.resolve(new GatewayDeployment(stack, "Deployment", { api: httpApi, routes }).deploymentId)
      .Ref;
  }

  test("is made anew for another route, another target of a route, and a route less", () => {
    const paths = { "/a": "https://a.example", "/b": "https://b.example" };
    const ids = [
      paths,
      { ...paths, "/c": "https://c.example" },
      { ...paths, "/b": "https://other.example" },
      { "/a": "https://a.example" },
    ].map(idOfRoutes);
    expect(new Set(ids).size).toBe(4);
    expect(idOfRoutes(paths)).toBe(ids[0]);
  });
});
