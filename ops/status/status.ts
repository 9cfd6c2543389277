import { endpoints } from "../../infra/endpoints.ts";
import { type QueueRole, queues } from "../../infra/queues.ts";
import type { Stage } from "../../infra/stage.ts";
import { type Credential, isInForce } from "../../lib/auth/credential.ts";
import type { CredentialNotes } from "../../lib/auth/credential-notes.ts";
import { credentialRows, isReplaced } from "../../lib/auth/list-credentials.ts";
import { attributionOf } from "../../lib/dynamo/attribution.ts";
import { readItem } from "../../lib/dynamo/read-item.ts";
import { switchId, switchOf } from "../../lib/switches/switch.ts";
import { clientLimits } from "../../local/store/client-limits.ts";
import type { OperatorQueues } from "../queue/queue-client.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { readStageFile } from "../store/stage-file.ts";
import type { StoreOptions } from "../store/store-options.ts";
import {
  countAll,
  readTableSizes,
  type TableSize,
  type Tenant,
  type Watch,
} from "../tenants/count-tenants.ts";
import { look, type Seen } from "./why-not.ts";

/** An alarm that rings. */
interface RingingAlarm {
  readonly name: string;
  /** ISO 8601 in UTC. */
  readonly since: string | undefined;
  /** In CloudWatch's words. */
  readonly reason: string;
}

/** The alarms of a stage that ring now, by the beginning of their names. */
async function readRingingAlarms(
  stageName: string,
  region: string | undefined,
): Promise<readonly RingingAlarm[]> {
  const { CloudWatchClient, paginateDescribeAlarms } = await import("@aws-sdk/client-cloudwatch");
  const client = new CloudWatchClient({
    requestHandler: clientLimits,
    ...(region !== undefined && { region }),
  });
  const found: RingingAlarm[] = [];
  try {
    const pages = paginateDescribeAlarms(
      { client },
      {
        AlarmNamePrefix: `countinghouse-${stageName}-`,
        AlarmTypes: ["MetricAlarm", "CompositeAlarm"],
        StateValue: "ALARM",
      },
    );
    for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages)
      for (const { AlarmName = "", StateUpdatedTimestamp, StateReason = "" } of [
        ...CompositeAlarms,
        ...MetricAlarms,
      ])
        found.push({ name: AlarmName, since: StateUpdatedTimestamp?.toISOString(), reason: StateReason });
  } finally {
    client.destroy();
  }
  return found;
}

const DAY_MS = 86_400_000;
/** As the alarms `expiry` ring. */
const AHEAD_MS = 30 * DAY_MS;
const PAST_MS = 7 * DAY_MS;

/** A subject whose tokens are refused. */
interface BlockedSubject {
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Why, where that was kept. */
  readonly reason: string | undefined;
}

/** A credential that ends soon, or has ended a short while ago. */
export interface EndingCredential extends Pick<Credential, "id" | "owner"> {
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly label: string | undefined;
}

export interface CredentialState {
  /** Oldest block first. */
  readonly blocked: readonly BlockedSubject[];
  /** The one that ends first comes first. */
  readonly ending: readonly EndingCredential[];
}

/**
 * The blocked subjects, and the credentials that end within 30 days from now (epoch ms) or ended within the last week, and
 * that nobody has revoked or replaced.
 */
export async function readCredentialState(
  { table }: Pick<OperatorStore, "table">,
  now: number,
): Promise<CredentialState> {
  const blocked = new Map<string, BlockedSubject>();
  const ending: EndingCredential[] = [];
  const rows = await credentialRows(table("Credentials"));
  for (const row of rows.values()) {
    const { credential, notes } = row;
    if (credential === undefined) continue;
    // A subject has a row for each issuer that the stage trusts.
    if (credential.kind === "subject" && !isInForce(credential, now))
      blocked.set(credential.owner, blockOf(credential, notes));
    else if (!isReplaced(row, rows, now)) ending.push(...endingOf(credential, notes, now));
  }
  return {
    blocked: [...blocked.values()].toSorted((a, b) => a.since - b.since),
    ending: ending.toSorted((a, b) => a.expiresAt - b.expiresAt),
  };
}

const blockOf = (
  { owner, createdAt, revokedAt = createdAt }: Credential,
  { revokedReason }: CredentialNotes,
): BlockedSubject => ({ subject: owner, since: revokedAt, reason: revokedReason });

function endingOf(
  { id, owner, expiresAt, revokedAt }: Credential,
  { label }: CredentialNotes,
  now: number,
): EndingCredential[] {
  if (expiresAt === undefined || revokedAt !== undefined) return [];
  if (expiresAt <= now - PAST_MS || expiresAt >= now + AHEAD_MS) return [];
  return [{ id, owner, expiresAt, label }];
}

/** How full a queue is, as SQS counts it: about. */
export interface QueueState {
  readonly queue: QueueRole;
  readonly waiting: number;
  /** Received by somebody, and neither done nor given back. */
  readonly inFlight: number;
}

/** Whether a stage takes in records by messages; without a stage, whether the laptop does depends on what runs there. */
export const takesMessages = ({ ingest }: Pick<Stage, "ingest">): boolean => ingest !== undefined;

/**
 * How full each queue is; undefined where there are none: the stage takes in no records by messages, or no service runs on
 * the data directory.
 */
async function readQueues(options: StoreOptions): Promise<readonly QueueState[] | undefined> {
  if (options.stage !== undefined && !takesMessages(readStageFile(options.stage))) return undefined;
  const { openQueues } = await import("../queue/queue-client.ts");
  const opened = await openQueues(options);
  try {
    return opened && (await Promise.all(queues.map((queue) => readQueue(opened, queue))));
  } finally {
    opened?.close();
  }
}

async function readQueue({ client, url }: OperatorQueues, queue: QueueRole): Promise<QueueState> {
  const { GetQueueAttributesCommand } = await import("@aws-sdk/client-sqs");
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: await url(queue),
      AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
    }),
  );
  return {
    queue,
    waiting: Number(Attributes?.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
}

/** A switch that is off. */
interface OffSwitch {
  readonly endpoint: string;
  readonly reason: string;
  /** Who switched it off, and when (epoch ms), where that was kept. */
  readonly by: string | undefined;
  readonly at: number | undefined;
}

/** The switches that are off. @throws {Failure} when the store does not answer. */
async function readOffSwitches({ table }: Pick<OperatorStore, "table">): Promise<readonly OffSwitch[]> {
  const found = endpoints.map(async ({ contract: { name } }): Promise<readonly OffSwitch[]> => {
    const item = await readItem(table("Settings"), { key: { id: switchId(name) } });
    const position = switchOf(item);
    const { at, by } = attributionOf(item) ?? {};
    return position.on ? [] : [{ endpoint: name, reason: position.reason, by, at }];
  });
  return (await Promise.all(found)).flat();
}

/** How a stage stands, part by part. */
export interface Status {
  readonly switches: Seen<readonly OffSwitch[]>;
  readonly credentials: Seen<CredentialState>;
  /** The value is undefined where no records come in by messages. */
  readonly queues: Seen<readonly QueueState[] | undefined>;
  /** The value is undefined on a laptop, whose store keeps no counts, unless they are counted. */
  readonly records: Seen<RecordState | undefined>;
  /** The value is undefined on a laptop, where nothing rings. */
  readonly alarms: Seen<readonly RingingAlarm[] | undefined>;
}

/** What is known of the records: the tables' sizes, or the records of each owner where they were counted. */
export type RecordState = { readonly sizes: readonly TableSize[] } | { readonly tenants: readonly Tenant[] };

export interface StatusQuestion {
  readonly store: OperatorStore;
  /** The options that name the stage, or the place on this machine. */
  readonly options: StoreOptions;
  /** Present where records are to be counted. */
  readonly counting?: Watch;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Looks at every part at once. A part that cannot be looked at keeps nothing back. */
export async function readStatus({ store, options, counting, now }: StatusQuestion): Promise<Status> {
  // Another DynamoDB in the place of the stage's own says nothing about the stage's account.
  const { stage } = options;
  const own =
    stage !== undefined && store.aws !== undefined ? { stage, region: store.aws.region } : undefined;
  const [switches, credentials, queues, records, alarms] = await Promise.all([
    look(() => readOffSwitches(store)),
    look(() => readCredentialState(store, now)),
    look(async () => (stage === undefined || own !== undefined ? await readQueues(options) : undefined)),
    look(async () => {
      if (counting !== undefined) return { tenants: await countAll(store, counting, now) };
      return store.aws === undefined ? undefined : { sizes: await readTableSizes(store) };
    }),
    look(async () => own && (await readRingingAlarms(own.stage, own.region))),
  ]);
  return { switches, credentials, queues, records, alarms };
}
