import { ownMember } from "../../lib/own-member.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../store/local-account.ts";
import { functionNameOf, type TemplateResource } from "./resource.ts";
import { TemplateError } from "./template-error.ts";
import type { FunctionDefinition } from "./template-function.ts";

/** A queue of the template. */
export interface QueueDefinition {
  readonly name: string;
  readonly arn: string;
  /** Attributes of the queue, as SQS's `CreateQueue` spells them. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** What takes messages from a queue to a function: Lambda's event source mapping. */
export interface EventSourceDefinition {
  readonly queueName: string;
  readonly functionName: string;
  /** The most messages of one invocation. */
  readonly batchSize: number;
  /** How long messages are gathered for one invocation, from the first one on. */
  readonly windowMs: number;
  /** The most invocations at once; undefined for no limit of its own. */
  readonly invocationsMax: number | undefined;
  /** Whether the function names the messages that failed, so that the others are deleted. */
  readonly reportsFailures: boolean;
}

/** Lambda's defaults for an event source of a queue. */
const DEFAULT_BATCH_SIZE = 10;
/** Lambda takes larger batches only with a window. */
const WINDOWLESS_BATCH_MAX = 10;

/** SQS's default for a queue whose template leaves it out. */
const DEFAULT_VISIBILITY_S = 30;

/** The attributes that are copied as they are. */
const COPIED = [
  "DelaySeconds",
  "MaximumMessageSize",
  "MessageRetentionPeriod",
  "ReceiveMessageWaitTimeSeconds",
  "VisibilityTimeout",
] as const;

/** Reads one `AWS::SQS::Queue`. Throws a `TemplateError` for a FIFO queue, which the local queues do not imitate. */
export function readQueue({ id, properties, intrinsics, at }: TemplateResource): QueueDefinition {
  const name =
    properties.QueueName === undefined ? id : intrinsics.text(properties.QueueName, `${at} QueueName`);
  const copied = COPIED.filter((property) => Object.hasOwn(properties, property)).map(
    (property) => [property, intrinsics.text(ownMember(properties, property), `${at} ${property}`)] as const,
  );
  const redrive = intrinsics.resolve(properties.RedrivePolicy, `${at} RedrivePolicy`);
  return {
    name,
    arn: queueArn(name),
    attributes: {
      ...Object.fromEntries(copied),
      ...(redrive !== undefined && { RedrivePolicy: JSON.stringify(redrive) }),
    },
  };
}

const ARN_PREFIX = `arn:aws:sqs:${LOCAL_REGION}:${LOCAL_ACCOUNT}:`;

const queueArn = (name: string): string => `${ARN_PREFIX}${name}`;

/** What event sources refer to. */
export interface Referred {
  readonly queues: readonly QueueDefinition[];
  readonly functions: readonly FunctionDefinition[];
}

/**
 * Reads one `AWS::Lambda::EventSourceMapping`. Throws a `TemplateError` for a source that is not a queue of the assembly,
 * and for what Lambda refuses: a batch that needs a window, and a function that may run longer than its messages stay
 * invisible.
 */
export function readEventSource(
  { properties, intrinsics, at }: TemplateResource,
  { queues, functions }: Referred,
): EventSourceDefinition {
  const resolved = (property: string): unknown =>
    intrinsics.resolve(ownMember(properties, property), `${at} ${property}`);
  const arn = resolved("EventSourceArn");
  const queue = queues.find((candidate) => candidate.arn === arn);
  if (queue === undefined) throw new TemplateError(`${at}: EventSourceArn names no queue of this assembly.`);
  const { MaximumConcurrency } = (resolved("ScalingConfig") ?? {}) as { MaximumConcurrency?: number };
  const source: EventSourceDefinition = {
    queueName: queue.name,
    functionName: functionNameOf(intrinsics.text(properties.FunctionName, `${at} FunctionName`), at),
    batchSize: Number(resolved("BatchSize") ?? DEFAULT_BATCH_SIZE),
    windowMs: Number(resolved("MaximumBatchingWindowInSeconds") ?? 0) * 1_000,
    invocationsMax: MaximumConcurrency,
    reportsFailures: ((resolved("FunctionResponseTypes") ?? []) as readonly unknown[]).includes(
      "ReportBatchItemFailures",
    ),
  };
  requireAccepted(source, queue, functions, at);
  return source;
}

function requireAccepted(
  { functionName, batchSize, windowMs }: EventSourceDefinition,
  { attributes }: QueueDefinition,
  functions: readonly FunctionDefinition[],
  at: string,
): void {
  const lambda = functions.find(({ name }) => name === functionName);
  if (lambda === undefined)
    throw new TemplateError(`${at}: FunctionName names no function of this assembly.`);
  if (batchSize > WINDOWLESS_BATCH_MAX && windowMs < 1_000)
    throw new TemplateError(
      `${at}: Lambda refuses a BatchSize above 10 without a window of a second or more.`,
    );
  const visibleAfterMs = Number(attributes.VisibilityTimeout ?? DEFAULT_VISIBILITY_S) * 1_000;
  if (lambda.timeoutMs > visibleAfterMs)
    throw new TemplateError(
      `${at}: Lambda refuses a function whose timeout is longer than its queue's VisibilityTimeout.`,
    );
}
