import { describe, expect, test } from "vitest";
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
  "Keep the id (a construct's path makes it), or write the new one here together with the way of getting there in " +
  "docs/deployment.md.";

describe("no deployment replaces", () => {
  test("a table", () => {
    expect(identitiesOf(data), WHY).toEqual({
      AuditTable18A3095C: "countinghouse-test-Audit: month S, at S",
      CredentialsTable401B582A: "countinghouse-test-Credentials: id S",
      ImportsTableB0B54AC4: "countinghouse-test-Imports: import_id S, part S",
      PassesTable0641694C: "countinghouse-test-Passes: partner_reference S",
      RateLimitsTable29A563C1: "countinghouse-test-RateLimits: k S",
      SellOrdersTable782FA1AE: "countinghouse-test-SellOrders: partner_id S, order_id S",
      SettingsTable9DA1E611: "countinghouse-test-Settings: id S",
      TradesTableE699FD09: "countinghouse-test-Trades: pk S, sk B",
      TransactionsTableB808F8B3: "countinghouse-test-Transactions: business_id S, id S",
    });
  });

  test("a domain", () => {
    expect(identitiesOf(domains), WHY).toEqual({
      MutualTlsDomainC0CD856A: "mtls.test.example",
      OpenDomainE6D71072: "api.test.example",
    });
  });

  test("a route or mapping", () => {
    expect(identitiesOf(api), WHY).toEqual({
      AddressesMutualTls5E683C25: "mtls.test.example/api",
      AddressesOpen6EF546FF: "api.test.example/api",
      ApiF70053CD: "countinghouse-test",
      ApiGET10tradesallsymbol05F2A40B: "GET /1.0/trades/all/{symbol}",
      ApiGETpassespartnerreference385B02DD: "GET /passes/{partner_reference}",
      ApiGETsellordersorderidEF53AD2E: "GET /sell-orders/{order_id}",
      ApiGETtransactionid0F0864DC: "GET /transaction/{id}",
      ApiGETtransactionsD7FF514E: "GET /transactions",
      Stage: "$default",
    });
  });
});
