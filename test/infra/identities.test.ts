import path from "node:path";
import { expect, test } from "vitest";
import { synthesize, type Template, type TemplateResource, testStage } from "../support/synthesize.ts";

const certificate = (name: string) => `arn:aws:acm:eu-central-1:123456789012:certificate/${name}`;
const { api, data, domains } = synthesize(
  testStage({
    brand: { basePath: "/api" },
    domains: {
      open: { name: "api.test.example", certificateArn: certificate("a1") },
      mutualTls: { name: "mtls.test.example", certificateArn: certificate("b2") },
    },
  }),
);

/** What a resource is known by to those who use it. A change of it makes CloudFormation replace the resource. */
const identityOf: Readonly<Record<string, (properties: TemplateResource["Properties"]) => string>> = {
  "AWS::DynamoDB::GlobalTable": ({ TableName, KeySchema, AttributeDefinitions }) => {
    const types = new Map(
      AttributeDefinitions.map(
        ({ AttributeName, AttributeType }: Record<string, string>) => [AttributeName, AttributeType] as const,
      ),
    );
    const keys = KeySchema.map(
      ({ AttributeName }: Record<string, string>) => `${AttributeName} ${String(types.get(AttributeName))}`,
    );
    return `${TableName}: ${keys.join(", ")}`;
  },
  "AWS::ApiGatewayV2::Api": ({ Name }) => Name,
  "AWS::ApiGatewayV2::ApiMapping": ({ DomainName, ApiMappingKey }) => `${DomainName}/${ApiMappingKey}`,
  "AWS::ApiGatewayV2::DomainName": ({ DomainName }) => DomainName,
  "AWS::ApiGatewayV2::Route": ({ RouteKey }) => RouteKey,
  "AWS::ApiGatewayV2::Stage": ({ StageName }) => StageName,
};

const identitiesOf = ({ Resources }: Template): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
      const read = identityOf[Type];
      return read === undefined ? [] : [[id, read(Properties)]];
    }),
  );

const WHY =
  "CloudFormation would replace what has another logical id, name or key than the deployed one. A replaced table is " +
  "empty, and its name is taken; while a route, domain or mapping is replaced, callers get answers that are not ours. " +
  "Keep the id (a construct's path makes it), or record the new one (--update=all) together with the way of getting " +
  "there in docs/deployment.md.";

test("no deployment replaces a table, a domain, a route or a mapping", async () => {
  const identities = [data, domains, api].flatMap((template) => Object.entries(identitiesOf(template)));
  expect(identities.length).toBeGreaterThan(15);
  const file = path.join(import.meta.dirname, "recorded/identities.json");
  await expect(
    `${JSON.stringify(Object.fromEntries(identities.toSorted(([one], [other]) => (one < other ? -1 : 1))), null, 2)}\n`,
    WHY,
  ).toMatchFileSnapshot(file);
});
