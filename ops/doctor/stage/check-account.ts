import type { STSClient } from "@aws-sdk/client-sts";
import { endpoints } from "../../../infra/endpoints.ts";
import { type QueueRole, queueName, queues } from "../../../infra/queues.ts";
import type { Stage } from "../../../infra/stage.ts";
import type { Clock } from "../../../lib/clock.ts";
import { INGEST_NAME } from "../../../lib/ingest/settings.ts";
import { UPKEEP_NAME } from "../../../lib/upkeep/settings.ts";
import type { OperatorQueues } from "../../queue/queue-client.ts";
import { takesMessages } from "../../status/status.ts";
import { saidBy } from "../../status/why-not.ts";
import { ended } from "../../store/ended.ts";
import type { OperatorStore } from "../../store/operator-store.ts";
import { type Found, fail, ok, warn } from "../finding.ts";

/** A deployed stage, and the ways to look at it. */
export interface StageContext {
  readonly stage: Stage;
  readonly region: string | undefined;
  readonly store: OperatorStore;
  readonly clock: Clock;
  /** The addresses that a name leads to. */
  readonly resolve: (name: string) => Promise<readonly string[]>;
  readonly fetch: typeof fetch;
  /** What each stack says of itself, by the last part of its name; asked once. */
  readonly stack: (part: string) => Promise<StackState>;
}

/** A stack of the stage. */
interface StackState {
  /** Undefined where there is no such stack. */
  readonly status: string | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/** What a client of AWS is made with. */
export const clientOptions = ({ region }: Pick<StageContext, "region">) => ({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  ...(region !== undefined && { region }),
});

/** The command that deploys a stack of the stage. */
export const deployText = (stageName: string, part: string): string =>
  `npx cdk deploy countinghouse-${stageName}-${part} -c stage=${stageName} --exclusively`;

/** Asks CloudFormation for a stack, each only once. */
export function stackReader({
  stage,
  region,
}: Pick<StageContext, "stage" | "region">): StageContext["stack"] {
  const asked = new Map<string, Promise<StackState>>();
  return (part) => {
    const answer = asked.get(part) ?? describeStack(`countinghouse-${stage.name}-${part}`, region);
    asked.set(part, answer);
    return answer;
  };
}

async function describeStack(StackName: string, region: string | undefined): Promise<StackState> {
  const { CloudFormationClient, DescribeStacksCommand } = await import("@aws-sdk/client-cloudformation");
  using client = ended(new CloudFormationClient(clientOptions({ region })));
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    const outputs = (stack?.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [
      OutputKey,
      OutputValue,
    ]);
    return { status: stack?.StackStatus, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message))
      return { status: undefined, outputs: {} };
    throw error;
  }
}

const NOTED_MS = 5_000;
/** Beyond this an import stamps and judges records wrongly; AWS itself refuses signatures at five minutes. */
const WRONG_MS = 60_000;

/** Whose account the operator's credentials are of, and by how much this machine's clock is ahead of AWS's. */
interface Answer {
  readonly account: string | undefined;
  readonly arn: string | undefined;
  /** Milliseconds; undefined when the answer had no date. */
  readonly aheadMs: number | undefined;
}

/** Asks STS, which needs no permission, once for both checks. */
export function accountReader({
  region,
  clock,
}: Pick<StageContext, "region" | "clock">): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  const ask = async (): Promise<Answer> => {
    const { GetCallerIdentityCommand, STSClient } = await import("@aws-sdk/client-sts");
    using client = ended(new STSClient(clientOptions({ region })));
    const dates = keepDates(client, clock);
    const { Account, Arn } = await client.send(new GetCallerIdentityCommand());
    return { account: Account, arn: Arn, aheadMs: dates() };
  };
  return () => (answer ??= ask());
}

/** Keeps by how much the clock was ahead of the `Date` of the client's last answer. */
function keepDates(client: STSClient, clock: () => number): () => number | undefined {
  let aheadMs: number | undefined;
  client.middlewareStack.add(
    (next) => async (args) => {
      const sentAt = clock();
      const result = await next(args);
      const { headers = {} } = result.response as { readonly headers?: Record<string, string> };
      aheadMs = aheadOf(headers.date, sentAt, clock()) ?? aheadMs;
      return result;
    },
    { step: "deserialize", priority: "low", name: "keepDates" },
  );
  return () => aheadMs;
}

/** By how many milliseconds a clock is ahead of an answer's `Date`; undefined without one. */
export function aheadOf(date: string | null | undefined, sentAt: number, receivedAt: number) {
  // The header has whole seconds: the answer was written somewhere within the second.
  const aheadMs = (sentAt + receivedAt) / 2 - (Date.parse(date ?? "") + 500);
  return Number.isNaN(aheadMs) ? undefined : aheadMs;
}

/** Whether the credentials are of the stage's account. */
export async function checkAccount({ stage }: StageContext, read: () => Promise<Answer>): Promise<Found> {
  const { account, arn } = await read();
  if (stage.account === undefined || stage.account === account) return ok(`${account} as ${arn}`);
  return fail(
    `these credentials are of the account ${account}, the stage is in ${stage.account}`,
    "Set AWS_PROFILE to a profile of the stage's account.",
  );
}

/** Whether this machine's clock agrees with AWS's. */
export async function checkClock(read: () => Promise<Answer>): Promise<Found> {
  const { aheadMs } = await read();
  return judgeClock(aheadMs, "AWS's");
}

/** Judges a clock by how much it is ahead of another one, in milliseconds. */
export function judgeClock(aheadMs: number | undefined, whose: string): Found {
  if (aheadMs === undefined)
    return warn(`${whose} answer has no date`, "Look for a proxy that takes headers away.");
  const apartMs = Math.abs(aheadMs);
  const text = `${(apartMs / 1_000).toFixed(1)} s ${aheadMs < 0 ? "behind" : "ahead of"} ${whose}`;
  if (apartMs <= NOTED_MS) return ok(text);
  const todo = "Let this machine set its clock by the network (timedatectl set-ntp true).";
  return apartMs <= WRONG_MS
    ? warn(text, todo)
    : fail(text, `${todo} Imports and signatures are judged by it.`);
}

const SETTLED = new Set([
  "CREATE_COMPLETE",
  "UPDATE_COMPLETE",
  "IMPORT_COMPLETE",
  "UPDATE_ROLLBACK_COMPLETE",
]);

/** Whether every stack of the stage is deployed, and no deployment failed or is under way. */
export async function checkStacks({ stage, stack }: StageContext): Promise<readonly Found[]> {
  const parts = ["data", ...(stage.domains === undefined ? [] : ["domains"]), "api", "alarms", "operators"];
  const states = await Promise.all(parts.map(async (part) => [part, (await stack(part)).status] as const));
  const faults = states.flatMap(([part, status]): readonly Found[] => {
    const name = `countinghouse-${stage.name}-${part}`;
    if (status !== undefined && SETTLED.has(status)) return [];
    if (status === undefined)
      return [
        fail(
          `${name} is not there`,
          `npx cdk deploy --all -c stage=${stage.name} --import-existing-resources`,
        ),
      ];
    if (status.endsWith("_IN_PROGRESS"))
      return [warn(`${name} is ${status}`, "A deployment is under way: look again when it has ended.")];
    return [fail(`${name} is ${status}`, "docs/deployment.md, When a deployment fails.")];
  });
  return faults.length > 0 ? faults : [ok(`${parts.join(", ")} are deployed`)];
}

/** What AWS gives an account that has asked for nothing, once it is not new any more. */
const USUAL_CONCURRENCY = 1_000;

/** Whether every function is there, with the alias that requests go to. */
export async function checkFunctions(context: StageContext): Promise<readonly Found[]> {
  const { GetAliasCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
  using client = ended(new LambdaClient(clientOptions(context)));
  const { name: stageName } = context.stage;
  const names = [
    ...endpoints.map(({ contract }) => contract.name),
    UPKEEP_NAME,
    ...(takesMessages(context.stage) ? [INGEST_NAME] : []),
  ];
  const found = await Promise.all(
    names.map(async (name): Promise<{ readonly version: string } | Found> => {
      const FunctionName = `countinghouse-${stageName}-${name}`;
      try {
        const { FunctionVersion } = await client.send(new GetAliasCommand({ FunctionName, Name: "live" }));
        return { version: `${name} ${FunctionVersion}` };
      } catch (error) {
        if (!(error instanceof Error) || error.name !== "ResourceNotFoundException") throw error;
        return fail(`${FunctionName} is not there, or has no alias live`, `${deployText(stageName, "api")}.`);
      }
    }),
  );
  const faults = found.filter((one) => "verdict" in one);
  const versions = found.flatMap((one) => ("version" in one ? [one.version] : []));
  return faults.length > 0 ? faults : [ok(`all have the alias live; versions: ${versions.join(", ")}`)];
}

/** How many environments of Lambda the account may have at once. */
export async function checkConcurrency(context: StageContext): Promise<Found> {
  const { GetAccountSettingsCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
  using client = ended(new LambdaClient(clientOptions(context)));
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand());
  const { ConcurrentExecutions: all = 0, UnreservedConcurrentExecutions: free = 0 } = AccountLimit ?? {};
  const text = `the account may have ${all} environments at once, ${free} of them not reserved`;
  if (all >= USUAL_CONCURRENCY) return ok(text);
  return warn(
    text,
    "Ask for more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000. It may take days.",
  );
}

/** Whether the queues are there, encrypted, and messages that cannot be taken in get to the queue *dead*. */
export async function checkQueues({ stage }: StageContext): Promise<readonly Found[]> {
  if (!takesMessages(stage)) return [ok("the stage takes in no records by messages")];
  const { openQueues } = await import("../../queue/queue-client.ts");
  const opened = await openQueues({ data: "", stage: stage.name });
  try {
    const found = await Promise.all(
      queues.map((role) => queueFaults(opened as OperatorQueues, stage.name, role)),
    );
    const faults = found.flat().map((text) => fail(text, `${deployText(stage.name, "data")}.`));
    return faults.length > 0
      ? faults
      : [ok(`${queues.join(", ")} are there, encrypted, and failures go to dead`)];
  } finally {
    opened?.close();
  }
}

async function queueFaults(
  opened: OperatorQueues,
  stageName: string,
  role: QueueRole,
): Promise<readonly string[]> {
  const { GetQueueAttributesCommand } = await import("@aws-sdk/client-sqs");
  try {
    const { Attributes = {} } = await opened.client.send(
      new GetQueueAttributesCommand({ QueueUrl: await opened.url(role), AttributeNames: ["All"] }),
    );
    return attributeFaults(stageName, role, Attributes);
  } catch (error) {
    const said = saidBy(error);
    if (said instanceof Error && /QueueDoesNotExist|NonExistentQueue/.test(said.name))
      return [`${queueName(stageName, role)} is not there`];
    throw error;
  }
}

function attributeFaults(
  stageName: string,
  role: QueueRole,
  { RedrivePolicy, SqsManagedSseEnabled, KmsMasterKeyId }: Readonly<Record<string, string>>,
): readonly string[] {
  const name = queueName(stageName, role);
  const isEncrypted = SqsManagedSseEnabled === "true" || KmsMasterKeyId !== undefined;
  const target = String(JSON.parse(RedrivePolicy ?? "{}").deadLetterTargetArn ?? "");
  return [
    ...(isEncrypted ? [] : [`${name} is not encrypted`]),
    ...(role === "records" && !target.endsWith(`:${queueName(stageName, "dead")}`)
      ? [`${name} sends no failed messages to ${queueName(stageName, "dead")}`]
      : []),
  ];
}
