import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { ingest } from "../../infra/ingest.ts";
import { upkeep } from "../../infra/upkeep.ts";
import { type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import { buildProgram } from "../../ops/program.ts";
import { describedCalls, describedTables, makersOf } from "../support/data-model.ts";
import { type Engine, installedEngines, startEngine } from "../support/engine.ts";
import { codeIn } from "../support/markdown.ts";
import { recordWriters } from "../support/record-writers.ts";

type Item = Readonly<Record<string, AttributeValue>>;
/** Attributes that are named after an operator's setting, or after a credential. */
const withoutSettings = (name: string): string =>
  name.replace(/^t_.+$/, "t_<bucket>").replace(/^u_.+$/, "u_<credential>");

const typesOf = (item: Item): Map<string, string> =>
  new Map(
    Object.entries(item).map(
      ([name, value]) => [withoutSettings(name), Object.keys(value)[0] ?? ""] as const,
    ),
  );

/** Every attribute of some items, as `name type`, and whether each of them has it. */
function attributesOf(items: readonly Item[]): Record<string, "always" | "sometimes"> {
  const found = items.map(typesOf);
  const all = found.flatMap((types) => [...types].map(([name, type]) => `${name} ${type}`));
  const isInEach = (attribute: string): boolean =>
    all.filter((one) => one === attribute).length === items.length;
  return Object.fromEntries(
    all.map((attribute) => [attribute, isInEach(attribute) ? "always" : "sometimes"]),
  );
}

const nameOf = (cell: string | undefined): string => codeIn(cell)[0] ?? "";

describe.each(Object.entries(tables) as [TableName, TableSchema][])(
  "docs/data-model.md on %s",
  (name, schema) => {
    const described = describedTables.find((table) => table.name === name);
    let engine: Engine;
    beforeAll(async () => {
      engine = await startEngine(installedEngines[0] ?? "dynalite");
    });
    afterAll(() => engine.close());

    test("names every attribute that is written, with its type and whether each item has it, and no other", async () => {
      await recordWriters[name](engine.table(name));
      const { Items = [] } = await engine.client.send(new ScanCommand({ TableName: engine.tableName(name) }));
      const rows = described?.attributes ?? [];
      const told = rows.flatMap(({ attribute, type = "" }) =>
        codeIn(attribute).map((each) => [
          `${each} ${/^[A-Z]+/.exec(type)?.[0]}`,
          type.includes("?") ? "sometimes" : "always",
        ]),
      );
      expect(Object.fromEntries(told)).toEqual(attributesOf(Items));
    });

    test("names its keys and its time to live", () => {
      const isMarked = (mark: string) =>
        described?.attributes
          .filter(({ type }) => type?.endsWith(`, ${mark}`))
          .map(({ attribute }) => nameOf(attribute));
      expect(isMarked("partition key")).toEqual([schema.partition.name]);
      expect(isMarked("sort key")).toEqual([schema.sort?.name].filter((key) => key !== undefined));
      expect(isMarked("TTL")).toEqual([schema.expiresAt].filter((attribute) => attribute !== undefined));
    });

    test("names its indexes, with their keys and what they project", () => {
      const told = described?.indexes.map((row) => ({
        name: nameOf(row.index),
        partition: nameOf(row["partition key"]),
        sort: nameOf(row["sort key"]),
        projection: row.projects,
      }));
      expect(told).toEqual(
        schema.indexes.map((index) => ({
          name: index.name,
          partition: index.partition.name,
          sort: index.sort?.name,
          projection: index.projection,
        })),
      );
    });
  },
);

test("docs/data-model.md describes every table, once", () => {
  expect(describedTables.map(({ name }) => name)).toEqual(Object.keys(tables));
});

test.each(endpoints)(
  "docs/data-model.md names every call that $contract.name is granted, and no other",
  (endpoint) => {
    const granted = endpoint.tables.flatMap(({ table, actions, queriedIndexes }) => [
      ...actions.map((action) => `dynamodb:${action} on ${table}`),
      ...queriedIndexes.map((index) => `dynamodb:Query on ${table}/index/${index}`),
    ]);
    const told = describedCalls(endpoint.contract.name).map(({ call }) => call);
    expect([...new Set(told)].toSorted()).toEqual(granted.toSorted());
  },
);

test.each([upkeep, ingest])(
  "docs/data-model.md names every call that $name is granted, and no other",
  ({ name, tables: grants }) => {
    const granted = grants.flatMap(({ table, actions }) =>
      actions.map((action) => `dynamodb:${action} on ${table}`),
    );
    const told = describedCalls(name).map(({ call }) => call);
    expect([...new Set(told)].toSorted()).toEqual([...new Set(granted)].toSorted());
  },
);

test("docs/data-model.md names only existing endpoints and commands as readers and writers", async () => {
  const program = await buildProgram();
  const isCommand = (words: string): boolean => {
    let at = program;
    for (const word of words.split(" ").filter((one) => !one.startsWith("--"))) {
      const next = at.commands.find((command) => command.name() === word);
      if (next === undefined) return at !== program && at.commands.length === 0;
      at = next;
    }
    return true;
  };
  const known = new Set([...endpoints.map(({ contract }) => contract.name), upkeep.name, ingest.name]);
  const makers = describedTables.flatMap(({ accesses }) => accesses.flatMap(makersOf));
  expect(makers.length).toBeGreaterThan(20);
  expect(makers.filter((maker) => !known.has(maker) && !isCommand(maker))).toEqual([]);
});
