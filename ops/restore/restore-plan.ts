import { partitionOf } from "../../infra/settings/partition.ts";
import { copyNumberOf, restoredName } from "../../infra/settings/table-names.ts";
import type { Stage } from "../../infra/stage.ts";
import { physicalTableName, type TableName } from "../../lib/dynamo/tables.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { wrapText } from "../terminal/write-table.ts";

/** One step of a plan. */
export interface Step {
  readonly title: string;
  readonly remarks: readonly string[];
  /** What to copy, as it is: commands in parts that may each have a line, or a part of a file. */
  readonly lines: readonly (readonly string[])[];
}

export interface RestoreQuestion {
  readonly stage: Stage;
  /** A table that has backups. */
  readonly table: TableName;
  /** An instant as ISO 8601 in UTC, or `latest` for the last one that DynamoDB has. */
  readonly to: string;
  /** The name of the restored table: that of a copy that is not in use. */
  readonly target: string;
}

/** Everything that the commands name. */
interface Names extends RestoreQuestion {
  readonly account: string;
  readonly region: string;
  readonly dataStack: string;
  /** The other stacks that follow `tables`: functions and alarms. Permissions are for every restored copy. */
  readonly followingStacks: readonly string[];
}

/** The next name of the form `…-r1`, after the table that is in use. */
export function nextTableName({ name, tables: used }: Stage, table: TableName): string {
  return restoredName(name, table, (copyNumberOf(name, table, used[table]) ?? 0) + 1);
}

/**
 * The way from a damaged table to a restored one that functions and operators use, as steps with exact commands. It
 * asks no service anything.
 *
 * @throws {OperatorError} for a stage that names no account and region, and for a target that no stage's file may name.
 */
export function planRestore(question: RestoreQuestion): readonly Step[] {
  const { stage, table, target } = question;
  const { account, region } = stage;
  if (account === undefined || region === undefined)
    throw new OperatorError(
      `The stage ${stage.name} names no account and region. Add both to its file, then plan again.`,
    );
  if (target === stage.tables[table] || !copyNumberOf(stage.name, table, target))
    throw new OperatorError(
      `A restored copy cannot be named ${JSON.stringify(target)}. Give --as a name such as ${nextTableName(stage, table)}.`,
    );
  const stackOf = (part: string) => `countinghouse-${stage.name}-${part}`;
  const followingStacks = ["api", "alarms"].map(stackOf);
  const names = { ...question, account, region, dataStack: stackOf("data"), followingStacks };
  return [makeStep(names), protectStep(names), fileStep(names), useStep(names), adoptStep(names)];
}

/** A command of DynamoDB. */
const dynamodb = (words: string, { region }: Names, ...options: readonly string[]): readonly string[] => [
  `aws dynamodb ${words}`,
  `--region ${region}`,
  ...options,
];

function makeStep(names: Names): Step {
  const { stage, table, to, target } = names;
  const time = to === "latest" ? "--use-latest-restorable-time" : `--restore-date-time ${to}`;
  const tables = [`--source-table-name ${stage.tables[table]}`, `--target-table-name ${target}`];
  return {
    title: `Make ${target} with the records of ${to === "latest" ? "five minutes ago" : to}.`,
    remarks: ["`wait` gives up after eight minutes. Repeat it until it ends without an error."],
    lines: [
      dynamodb("restore-table-to-point-in-time", names, ...tables, time),
      dynamodb("wait table-exists", names, `--table-name ${target}`),
    ],
  };
}

/** What a restored table lacks (DynamoDB's guide): backups, protection and tags. No table with backups expires items. */
function protectStep(names: Names): Step {
  const { stage, target, account, region } = names;
  const name = `--table-name ${target}`;
  const recovery = "--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true";
  const tags = `--tags Key=project,Value=countinghouse Key=stage,Value=${stage.name}`;
  const arn = `arn:${partitionOf(region)}:dynamodb:${region}:${account}:table/${target}`;
  return {
    title: "Give it what a restored table lacks: backups, protection and tags.",
    remarks: [],
    lines: [
      dynamodb("update-continuous-backups", names, name, recovery),
      dynamodb("update-table", names, name, "--deletion-protection-enabled"),
      dynamodb("tag-resource", names, `--resource-arn ${arn}`, tags),
    ],
  };
}

function fileStep({ stage, table, target }: Names): Step {
  const others = Object.entries(stage.tables).filter(
    ([other, used]) => other !== table && used !== physicalTableName(stage.name, other as TableName),
  );
  const after = JSON.stringify(Object.fromEntries([...others, [table, target]]));
  return {
    title: `Set \`tables\` in infra/stages/${stage.name}.json. From then on \`${commands.ops}\` works on the restored table.`,
    remarks: [
      "Commit the file before anybody deploys the stage from another checkout or by the workflow: a deployment with the old file leads callers back to the damaged table.",
    ],
    lines: [[`"tables": ${after}`]],
  };
}

/** The records of some tables undo a decision when they go back in time. */
const REMARKS: Readonly<Partial<Record<TableName, string>>> = {
  Audit: "Lines of changes that were made since then are in the table of before alone: keep it.",
  Credentials:
    "Keys that were revoked and subjects that were blocked since then are accepted again, and keys made since then are gone. Compare `keys list` with the list of before, and do again what is missing.",
  Passes: "Passes that were voided since then are back: void them again.",
  Settings:
    "Switches and markets are as they were: compare `switch status` and `markets list` with those of before.",
};

/** Damaged data answers 500s, at which the alarm for releases rings; CloudFormation would begin no deployment then. */
function useStep({ stage, table, followingStacks }: Names): Step {
  return {
    title: "Let functions and alarms use it.",
    remarks: [
      "The CDK refuses while the table is not there. It notes in cdk.context.json that it is: commit that file too, because the workflow cannot look.",
      "`none` lets the deployment begin while the alarm for releases rings. Name the alarm again at the next deployment.",
      REMARKS[table] ??
        "Then import again the files that were imported since then. A record that is there already does no harm.",
    ],
    lines: [
      [
        "npx cdk deploy",
        ...followingStacks,
        "--exclusively",
        `-c stage=${stage.name}`,
        "--rollback-trigger-alarm-arns none",
      ],
    ],
  };
}

/** A second restoration takes the table of the first one out of the stack, which the stack policy refuses. */
function adoptStep({ stage, table, target, dataStack }: Names): Step {
  const current = stage.tables[table];
  const context = `-c stage=${stage.name}`;
  if (current === physicalTableName(stage.name, table))
    return {
      title: `Take ${target} into the data stack. The damaged table stays in it.`,
      remarks: [`Answer "yes" when the command asks whether to import with this name.`],
      lines: [[`npx cdk import ${dataStack}`, context]],
    };
  const setPolicy = `aws cloudformation set-stack-policy --stack-name ${dataStack}`;
  return {
    title: `Take ${target} into the data stack. ${current} leaves the stack, and stays in the account.`,
    remarks: ["The first command lifts the stack policy, and the last one sets it again."],
    lines: [
      [
        setPolicy,
        `--stack-policy-body '{"Statement":[{"Effect":"Allow","Principal":"*","Action":"Update:*","Resource":"*"}]}'`,
      ],
      [`npx cdk deploy ${dataStack} --exclusively`, context, "--import-existing-resources"],
      [setPolicy, "--stack-policy-body file://infra/stack-policy.json"],
    ],
  };
}

const WIDTH = 80;
const INDENT = "   ";

/** What is copied, on one line, or with a line of a shell for each of its parts. */
function copiedText(parts: readonly string[]): string {
  const line = `${INDENT}${parts.join(" ")}`;
  return line.length <= WIDTH ? line : `${INDENT}${parts.join(` \\\n${INDENT}  `)}`;
}

const paragraph = (text: string, first: string): string =>
  wrapText(text, WIDTH - INDENT.length)
    .map((line, at) => `${at === 0 ? first : INDENT}${line}`)
    .join("\n");

/** A plan as text of 80 columns. Only a word that is longer makes a longer line. */
export const planText = (steps: readonly Step[]): string =>
  steps
    .map(({ title, remarks, lines }, at) =>
      [
        paragraph(title, `${at + 1}. `),
        ...remarks.map((remark) => paragraph(remark, INDENT)),
        "",
        ...lines.map(copiedText),
      ].join("\n"),
    )
    .join("\n\n");
