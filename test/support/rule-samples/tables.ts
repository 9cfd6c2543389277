import { call, type RuleSamples } from "./requests.ts";

const table = (name: string, more: object = {}) =>
  call("CreateTable", {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    AttributeDefinitions: ["pk", "sk", ...("LocalSecondaryIndexes" in more ? ["l"] : [])].map(
      (AttributeName) => ({ AttributeName, AttributeType: "S" }),
    ),
    ...more,
  });

/** Samples of the rules for tables. */
export const tableSamples: Readonly<Record<string, RuleSamples>> = {
  "no-local-indexes": {
    breaks: {
      "A local secondary index is legal on DynamoDB, but the local store does not know its rules.": table(
        "with-local-index",
        {
          LocalSecondaryIndexes: [
            {
              IndexName: "by-l",
              KeySchema: [
                { AttributeName: "pk", KeyType: "HASH" },
                { AttributeName: "l", KeyType: "RANGE" },
              ],
              Projection: { ProjectionType: "ALL" },
            },
          ],
        },
      ),
    },
    keeps: [table("without-local-index")],
  },
};
