import { describe, expect, test } from "vitest";
import { type ComparedTemplate, findReplacements } from "../../infra/replacements/find-replacements.ts";
import { synthesize, testStage } from "../support/synthesize.ts";

const certificateArn = "arn:aws:acm:eu-central-1:123456789012:certificate/a1";
const domainsOf = (name: string) => ({ domains: { open: { name, certificateArn } } });
const { data } = synthesize(testStage());
const orders = "SellOrdersTable782FA1AE";

/** The template after a change of the properties of the sell orders' table. */
function changed(change: (properties: Record<string, unknown>) => void): ComparedTemplate {
  const template = structuredClone(data);
  change(template.Resources[orders]?.Properties);
  return template;
}

describe("a change between two templates is found that", () => {
  test.each<[string, (properties: Record<string, unknown>) => void, string]>([
    ["renames a table", (given) => Object.assign(given, { TableName: "other" }), "TableName"],
    ["gives a table another key", (given) => Object.assign(given, { KeySchema: [] }), "KeySchema"],
    [
      "gives a table a local index",
      (given) => Object.assign(given, { LocalSecondaryIndexes: [] }),
      "LocalSecondaryIndexes",
    ],
  ])("%s", (_, change, property) => {
    expect(findReplacements(data, changed(change))).toEqual([
      `${orders} (AWS::DynamoDB::GlobalTable) would be replaced, because its ${property} changes.`,
    ]);
  });

  test("deletes a table, or gives it another logical id", () => {
    const { [orders]: table, ...others } = data.Resources;
    const sentence = expect.stringContaining(`${orders} (AWS::DynamoDB::GlobalTable) would be deleted`);
    expect(findReplacements(data, { Resources: others })).toEqual([sentence]);
    expect(
      findReplacements(data, { Resources: { ...others, ...(table !== undefined && { Moved: table }) } }),
    ).toEqual([sentence]);
    expect(findReplacements(data, {})).toHaveLength(Object.keys(data.Resources).length);
  });

  test.each([
    ["ingest", { ingest: { producers: ["arn:aws:iam::123456789012:role/a"] } }, "ingest", 3],
    ["backup", { backup: { keepDays: 1 } }, "backup", 1],
    [
      "domains.mutualTls",
      {
        domains: {
          ...domainsOf("a.test.example").domains,
          mutualTls: { name: "b.test.example", certificateArn },
        },
      },
      "domains.mutualTls",
      1,
    ],
    ["a restored table", { tables: { Trades: "countinghouse-test-Trades-r1" } }, "a name in tables", 1],
  ])("takes %s out of a stage", (_, settings, setting, count) => {
    const found = findReplacements(synthesize(testStage(settings)).data, data);
    expect(found).toHaveLength(count);
    for (const sentence of found)
      expect(sentence).toContain(`would be deleted: ${setting} cannot be taken out of a stage.`);
  });

  test("gives a domain another name", () => {
    const [before, after] = ["a.test.example", "b.test.example"].map((name) =>
      synthesize(testStage(domainsOf(name))),
    );
    expect(findReplacements(before?.domains ?? {}, after?.domains ?? {})).toEqual([
      expect.stringMatching(/DomainName\) would be replaced, because its DomainName changes\.$/),
    ]);
  });
});

describe("a change is let through that", () => {
  test("adds a table, or changes nothing", () => {
    expect(findReplacements({}, data)).toEqual([]);
    expect(findReplacements(data, data)).toEqual([]);
  });

  test("changes a table in place", () => {
    expect(
      findReplacements(
        data,
        changed((given) => Object.assign(given, { BillingMode: "PROVISIONED" })),
      ),
    ).toEqual([]);
  });

  test("replaces what holds nothing, such as a version of a function", () => {
    const [before, after] = [256, 512].map((memoryMb) => synthesize(testStage({ functions: { memoryMb } })));
    expect(before?.api).not.toEqual(after?.api);
    expect(findReplacements(before?.api ?? {}, after?.api ?? {})).toEqual([]);
  });
});
