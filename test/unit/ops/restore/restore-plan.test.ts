import { describe, expect, test } from "vitest";
import { restorableTables } from "../../../../infra/settings/table-safety.ts";
import { type TableName, tables } from "../../../../lib/dynamo/tables.ts";
import { parseRestoreTime } from "../../../../ops/restore/plan-restore.ts";
import { nextTableName, planRestore, planText } from "../../../../ops/restore/restore-plan.ts";
import { disposable, synthesize, testStage } from "../../../support/synthesize.ts";

const tableNames = Object.keys(tables) as TableName[];
const NOW = Date.parse("2026-11-28T12:00:00Z");

const planOf = (table: TableName, stage = testStage(), to = "2026-11-28T09:30:00Z") =>
  planText(planRestore({ stage, table, to, target: nextTableName(stage, table) }));

/** The commands of a plan, each on one line. */
const commandsOf = (text: string): string[] =>
  text
    .replaceAll(/ \\\n */g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^(?:aws|npx) /.test(line));

describe("the plan of a restoration", () => {
  test("restores, protects, switches and adopts, in this order, with nothing left to fill in", () => {
    const target = "countinghouse-test-Transactions-r1";
    const region = "--region eu-central-1";
    expect(commandsOf(planOf("Transactions"))).toEqual([
      `aws dynamodb restore-table-to-point-in-time ${region} --source-table-name countinghouse-test-Transactions --target-table-name ${target} --restore-date-time 2026-11-28T09:30:00Z`,
      `aws dynamodb wait table-exists ${region} --table-name ${target}`,
      `aws dynamodb update-continuous-backups ${region} --table-name ${target} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
      `aws dynamodb update-table ${region} --table-name ${target} --deletion-protection-enabled`,
      `aws dynamodb tag-resource ${region} --resource-arn arn:aws:dynamodb:eu-central-1:123456789012:table/${target} --tags Key=project,Value=countinghouse Key=stage,Value=test`,
      "npx cdk deploy countinghouse-test-api countinghouse-test-alarms --exclusively -c stage=test --rollback-trigger-alarm-arns none",
      "npx cdk import countinghouse-test-data -c stage=test",
    ]);
  });

  test.each(restorableTables)("of %s leads to a stage that uses the restored table", (table) => {
    const settings: object = JSON.parse(`{${/"tables": .*/.exec(planOf(table))?.[0] ?? ""}}`);
    const stage = testStage({ ...settings });
    expect(stage.tables[table]).toBe(`countinghouse-test-${table}-r1`);
    expect(nextTableName(stage, table)).toBe(`countinghouse-test-${table}-r2`);
  });

  test("keeps the tables that the stage names already", () => {
    const Passes = "countinghouse-test-Passes-r3";
    expect(planOf("Trades", testStage({ tables: { Passes } }))).toContain(
      `"tables": {"Passes":"${Passes}","Trades":"countinghouse-test-Trades-r1"}`,
    );
  });

  test("of a table that was restored before begins with that one, and lifts the stack policy for the change", () => {
    const stage = testStage({ tables: { Trades: "countinghouse-test-Trades-r1" } });
    const commands = commandsOf(planOf("Trades", stage));
    expect(commands[0]).toContain(
      "--source-table-name countinghouse-test-Trades-r1 --target-table-name countinghouse-test-Trades-r2 ",
    );
    expect(commands.slice(-3)).toEqual([
      expect.stringMatching(/^aws cloudformation set-stack-policy .*"Action":"Update:\*"/),
      "npx cdk deploy countinghouse-test-data --exclusively -c stage=test --import-existing-resources",
      expect.stringMatching(/^aws cloudformation set-stack-policy .* file:\/\/infra\/stack-policy\.json$/),
    ]);
  });

  test("may take the latest records that there are", () => {
    expect(commandsOf(planOf("Trades", testStage(), "latest"))[0]).toMatch(/ --use-latest-restorable-time$/);
  });

  test("warns where going back in time undoes a decision", () => {
    expect(planOf("Credentials")).toContain("Keys that were revoked");
    expect(planOf("Passes")).toContain("void them again");
    expect(planOf("Settings")).toContain("switch status");
  });

  test("fits 80 columns, except for what cannot be broken", () => {
    for (const table of restorableTables)
      for (const line of planOf(table).split("\n"))
        if (line.length > 80) expect(line).toMatch(/^ +(?:--|"tables": )\S+(?: \S+)? ?\\?$/);
  });

  test.each(restorableTables)(
    "of %s deploys every stack that names the table, and adopts it in the data",
    (table) => {
      const restored = `countinghouse-test-${table}-r7`;
      const stage = testStage({ tables: { [table]: restored } });
      const { data, domains, api, alarms, operators } = synthesize(stage);
      const naming = Object.entries({ domains, api, alarms, operators }).filter(([, stack]) =>
        JSON.stringify(stack).includes(restored),
      );
      expect(JSON.stringify(data)).toContain(restored);
      const deployed = commandsOf(planOf(table)).find((command) => command.startsWith("npx cdk deploy "));
      for (const [part] of naming) expect(deployed).toContain(` countinghouse-test-${part} `);
      expect(naming.length).toBeGreaterThan(0);
    },
  );

  test("says that the file of the stage is to be committed, and that of the CDK", () => {
    expect(planOf("Trades")).toContain("Commit the file");
    expect(planOf("Trades")).toContain("cdk.context.json");
  });

  test.each([
    "countinghouse-test-Trades",
    "countinghouse-test-Trades-r1",
    "countinghouse-test-Passes-r2",
    "trades-of-march",
  ])("to %s is refused, because no stage that uses -r1 could name that table next", (target) => {
    const stage = testStage({ tables: { Trades: "countinghouse-test-Trades-r1" } });
    expect(() => planRestore({ stage, table: "Trades", to: "latest", target })).toThrow(
      `A restored copy cannot be named "${target}". Give --as a name such as countinghouse-test-Trades-r2.`,
    );
  });

  test("is for every table but the limits and the journals, which have no backups", () => {
    expect(tableNames.filter((name) => !restorableTables.includes(name))).toEqual(["RateLimits", "Imports"]);
  });

  test("of a stage that names no account is refused, because the commands would have holes", () => {
    expect(() => planOf("Trades", testStage(disposable))).toThrow("names no account and region");
  });
});

describe("the time of a restoration", () => {
  test.each([
    ["2026-11-28T09:30:00Z", "2026-11-28T09:30:00Z"],
    ["2026-11-28T09:30:00.987+01:00", "2026-11-28T08:30:00Z"],
    ["2026-11-28T11:59:59Z", "2026-11-28T11:59:59Z"],
    ["2026-10-24T12:00:00Z", "2026-10-24T12:00:00Z"],
    ["latest", "latest"],
  ])("%s is %s", (text, time) => {
    expect(parseRestoreTime(text, NOW)).toBe(time);
  });

  test.each([
    ["2026-11-28", /^Give an instant/],
    ["yesterday", /^Give an instant/],
    ["2026-11-28T12:00:00Z", /in the past/],
    ["2026-10-24T11:59:59Z", /35 days/],
  ])("%s is refused", (text, message) => {
    expect(() => parseRestoreTime(text, NOW)).toThrow(message);
  });
});
