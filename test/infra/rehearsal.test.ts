import { describe, expect, test } from "vitest";
import { addServedStacks } from "../../infra/stacks/add-served-stacks.ts";
import { codeIn, type Row, sectionsOf } from "../support/markdown.ts";
import { projectText } from "../support/project.ts";
import { Account, isCopy, Refused } from "../support/rehearsal/account.ts";
import { fullStage, type VariedSetting, varySettings } from "../support/rehearsal/settings.ts";
import type { Haste } from "../support/rehearsal/template.ts";
import { resourcesOf, type Synthesis, sorted, synthesize, testStage } from "../support/synthesize.ts";
import { everySetting } from "../support/three-stages.ts";

const page = projectText("docs/deployment.md");
const section = sectionsOf(page).find(({ title }) => title === "What each step does to callers");
const rows = section?.tables[0] ?? [];

const templatesOf = (file: Readonly<Record<string, unknown>>): Synthesis =>
  synthesize(testStage(file), { add: addServedStacks });

/** The templates of every file, each made once. */
const made = new Map<string, Synthesis>();
const templates = (file: Readonly<Record<string, unknown>>): Synthesis => {
  const key = JSON.stringify(file);
  const found = made.get(key) ?? templatesOf(file);
  made.set(key, found);
  return found;
};

/** What a finding means for those who wait for an answer, or for a record to be stored. */
function meaningOf(finding: string): string {
  if (finding.startsWith("closes")) return "the earlier address is refused";
  if (finding.startsWith("way back")) return "no way back";
  if (finding.endsWith("leads nowhere")) return "no answer";
  if (finding.endsWith("empty")) return "a 404";
  if (finding.includes("ReportExpiry")) return "no upkeep";
  return finding.includes("IngestRecords") ? "records wait" : "a 500";
}

/** What callers meet when CloudFormation hurries in one way or the other. */
function play(steps: (account: Account) => void): readonly string[] {
  const met = new Set<string>();
  for (const haste of ["permissions first", "functions first"] satisfies Haste[]) {
    const account = new Account(haste);
    try {
      steps(account);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      met.add("refused");
    }
    for (const finding of account.findings) met.add(meaningOf(finding));
  }
  return sorted([...met]);
}

/** What a row says in short, before its colon. */
const toldIn = (row: Row | undefined): readonly string[] =>
  (row?.["callers meet"] ?? "")
    .split(":")[0]
    ?.split(", ")
    .filter((told) => told !== "no error") ?? [];

const copiesIn = ({ data }: Synthesis): string[] =>
  resourcesOf(data, "AWS::DynamoDB::GlobalTable")
    .map(({ Properties }) => Properties.TableName as string)
    .filter(isCopy);

/** A stage that serves, with the copies that its tables were restored to. */
function begin(account: Account, stage: Synthesis): void {
  for (const copy of copiesIn(stage)) account.restore(copy);
  account.deploy(stage, { adopts: "each" });
}

const { encryption, tables } = everySetting;
const larger = { ...fullStage, functions: { ...everySetting.functions, memoryMb: 2_048 } };
const withoutTables = { ...fullStage, tables: {} };
const keyArn = encryption.keyArn;
const otherKey = keyArn.replace("1234abcd", "5678abcd");
const withKeys = (key: string | undefined, otherKeyArns: readonly string[]) =>
  templates({ ...fullStage, encryption: { ...(key !== undefined && { keyArn: key }), otherKeyArns } });
const withPasses = (copy: string) =>
  templates({ ...fullStage, tables: { ...tables, Passes: `countinghouse-test-Passes-${copy}` } });

/** The steps of `ops restore plan`: functions first, then the data, for which the stack policy may be lifted. */
function switchTables(account: Account, stage: Synthesis): void {
  account.deploy(stage, { parts: ["api"], stumbles: true });
  account.deploy(stage, { parts: ["data"], adopts: "each", isGuarded: false, stumbles: true });
}

/** Every step of a stage's life that an operator takes, by its row in docs/deployment.md. */
const steps: Readonly<Record<string, (account: Account) => void>> = {
  "the first deployment, also after one that failed": (account) => {
    account.deploy(templates(withoutTables), { adopts: "named", stumbles: true });
  },
  "another setting or other code; also if the deployment fails at any change": (account) => {
    begin(account, templates(fullStage));
    account.deploy(templates(larger), { stumbles: true });
  },
  "a release is taken back by hand, and the earlier one deployed again": (account) => {
    begin(account, templates(fullStage));
    account.deploy(templates(larger));
    account.takeBackByHand();
    account.deploy(templates(fullStage), { stumbles: true });
  },
  "a switch to a restored table, to the next one, and back": (account) => {
    begin(account, templates(fullStage));
    for (const copy of ["r1", "r2"]) {
      account.restore(`countinghouse-test-Passes-${copy}`);
      switchTables(account, withPasses(copy));
    }
    account.takeBackByHand();
    switchTables(account, templates(fullStage));
  },
  "`tables` names a table that is not there": (account) => {
    begin(account, templates(fullStage));
    account.deploy(withPasses("r1"), { adopts: "named" });
  },
  "from AWS's keys to another, to the next one, and back, in three deployments each": (account) => {
    begin(account, withKeys(undefined, []));
    for (const [from, to] of [
      [undefined, keyArn],
      [keyArn, otherKey],
      [otherKey, undefined],
    ] as const) {
      account.deploy(withKeys(from, to === undefined ? [] : [to]), { stumbles: true });
      account.deploy(withKeys(to, from === undefined ? [] : [from]), { stumbles: true });
      account.drain();
      account.deploy(withKeys(to, []), { stumbles: true });
    }
  },
  "the old key is taken from `otherKeyArns` while messages wait": (account) => {
    begin(account, withKeys(keyArn, [otherKey]));
    account.deploy(withKeys(otherKey, [keyArn]));
    account.deploy(withKeys(otherKey, []));
  },
  "the stacks are deleted, and deployed again": (account) => {
    begin(account, templates(fullStage));
    for (const part of ["api", "domains", "data"] as const) account.delete(part);
    // CloudFormation adopts tables by itself, and no queue.
    const byItself = () => account.deploy(templates(fullStage), { parts: ["data"], adopts: "named" });
    expect(byItself).toThrow(/^countinghouse-test-records(?:-\w+)? already exists/);
    account.deploy(templates(fullStage), { parts: ["data"], adopts: "each" });
    account.deploy(templates(fullStage), { stumbles: true });
  },
};

/** The rows about a change of single settings. */
const changes = rows.filter(({ step = "" }) => !(step in steps));

describe("docs/deployment.md says what callers meet in the step:", () => {
  test.each(Object.entries(steps))("%s", (step, take) => {
    const row = rows.find((found) => found.step === step);
    expect(row?.["callers meet"]).toBeTruthy();
    expect(play(take)).toEqual(toldIn(row));
  });
});

/** What callers meet when one file is deployed after another, or fails, and when functions go back to versions from before. */
const playChange = (before: Synthesis, after: Synthesis): readonly string[] =>
  play((account) => {
    begin(account, before);
    for (const copy of copiesIn(after)) if (!copiesIn(before).includes(copy)) account.restore(copy);
    account.deploy(after, { adopts: "named", stumbles: true });
    account.takeBackByHand();
  });

describe("a change of one setting alone, from each of its values to each other, does what docs/deployment.md says:", () => {
  const settings = varySettings();
  const rowsOf = ({ path: setting }: VariedSetting): readonly Row[] =>
    changes.filter(({ step }) => codeIn(step).includes(setting.replace(/^tables\..*/, "tables")));

  test.each(settings)("$path", (setting) => {
    expect(setting.files.length, "values in test/support/rehearsal/settings.ts").toBeGreaterThan(1);
    const stages = setting.files.map(templates);
    const met = stages.flatMap((before) =>
      stages.filter((after) => after !== before).flatMap((after) => playChange(before, after)),
    );
    expect(new Set(met)).toEqual(new Set(rowsOf(setting).flatMap(toldIn)));
  });

  test("and has no row for a setting that there is not", () => {
    for (const row of changes)
      expect(settings.filter((setting) => rowsOf(setting).includes(row))).not.toEqual([]);
  });
});
