import * as z from "zod/mini";
import { endpoints } from "../../infra/endpoints.ts";
import { queues } from "../../infra/queues.ts";
import type { Stage } from "../../infra/stage.ts";
import { isInForce } from "../../lib/auth/credential.ts";
import { type CredentialRow, credentialRows, isReplaced } from "../../lib/auth/list-credentials.ts";
import { attributionOf } from "../../lib/dynamo/attribution.ts";
import { readItem } from "../../lib/dynamo/read-item.ts";
import { switchId, switchOf } from "../../lib/switches/switch.ts";
import { clientLimits } from "../../local/store/client-limits.ts";
import type { OperatorQueues } from "../queue/queue-client.ts";
import { ended } from "../store/ended.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { readStageFile } from "../store/stage-file.ts";
import type { StoreOptions } from "../store/store-options.ts";
import { countAll, readTableSizes, recordTables, tenantShape, type Watch } from "../tenants/count-tenants.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { instantText } from "../terminal/write-table.ts";
import { look, type Seen } from "./why-not.ts";

const text = z.string();
const textOrNull = z.nullable(text);
const timeOrNull = z.nullable(jsonTime);

/** The parts of a status, as `status --json` prints them. What is not kept, or does not exist, is null. */
export const partShapes = {
  /** The alarms of a stage that ring now; the reason is in CloudWatch's words. */
  alarms: z.array(z.object({ name: text, since: timeOrNull, reason: text })),
  switchesOff: z.array(z.object({ endpoint: text, reason: text, by: textOrNull, at: timeOrNull })),
  /** The oldest block first. */
  blockedSubjects: z.array(z.object({ subject: text, since: jsonTime, reason: textOrNull })),
  /** What ends soon, or has ended a short while ago; the one that ends first comes first. */
  endingCredentials: z.array(
    z.object({ id: text, owner: text, label: textOrNull, expiresAt: jsonTime, hasEnded: z.boolean() }),
  ),
  /** How full each queue is, as SQS counts it: about. In flight is what somebody has received, and not yet done. */
  queues: z.array(z.object({ queue: z.enum(queues), waiting: z.number(), inFlight: z.number() })),
  /** Of a deployed stage: as DynamoDB last counted, which it does about every six hours. */
  tables: z.array(z.object({ table: z.enum(recordTables), items: z.number() })),
  /** With --count. */
  tenants: z.array(z.omit(tenantShape, { damagedSegments: true })),
};

type Parts = { readonly [Part in keyof typeof partShapes]: z.infer<(typeof partShapes)[Part]> };
export type Part<Name extends keyof Parts> = Parts[Name][number];

/** The alarms of a stage that ring now, by the beginning of their names. */
async function readAlarms(stageName: string, region: string | undefined): Promise<Parts["alarms"]> {
  const { CloudWatchClient, paginateDescribeAlarms } = await import("@aws-sdk/client-cloudwatch");
  using client = ended(
    new CloudWatchClient({
      requestHandler: clientLimits,
      ...(region !== undefined && { region }),
    }),
  );
  const found: Parts["alarms"] = [];
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
      found.push({
        name: AlarmName,
        since: StateUpdatedTimestamp?.toISOString() ?? null,
        reason: StateReason,
      });
  return found;
}

const DAY_MS = 86_400_000;
/** As the alarms `expiry` ring. */
const AHEAD_MS = 30 * DAY_MS;
const PAST_MS = 7 * DAY_MS;

export type CredentialState = Pick<Parts, "blockedSubjects" | "endingCredentials">;

/**
 * The blocked subjects, and the credentials that end within 30 days from now (epoch ms) or ended within the last week, and
 * that nobody has revoked or replaced.
 */
export async function readCredentialState(
  { table }: Pick<OperatorStore, "table">,
  now: number,
): Promise<CredentialState> {
  const blocked = new Map<string, Part<"blockedSubjects">>();
  const ending: Part<"endingCredentials">[] = [];
  const rows = await credentialRows(table("Credentials"));
  for (const row of rows.values()) {
    const { credential, notes } = row;
    if (credential === undefined) continue;
    const { owner, createdAt, revokedAt = createdAt } = credential;
    // A subject has a row for each issuer that the stage trusts.
    if (credential.kind === "subject" && !isInForce(credential, now))
      blocked.set(owner, {
        subject: owner,
        since: instantText(revokedAt),
        reason: notes.revokedReason ?? null,
      });
    else if (!isReplaced(row, rows, now)) ending.push(...endingOf(row, now));
  }
  return {
    blockedSubjects: [...blocked.values()].toSorted((a, b) => a.since.localeCompare(b.since)),
    endingCredentials: ending.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt)),
  };
}

function endingOf({ credential, notes }: CredentialRow, now: number): Part<"endingCredentials">[] {
  const { id = "", owner = "", expiresAt, revokedAt } = credential ?? {};
  if (expiresAt === undefined || revokedAt !== undefined) return [];
  if (expiresAt <= now - PAST_MS || expiresAt >= now + AHEAD_MS) return [];
  return [
    {
      id,
      owner,
      label: notes.label ?? null,
      expiresAt: instantText(expiresAt),
      hasEnded: expiresAt <= now,
    },
  ];
}

/** Whether a stage takes in records by messages; without a stage, whether the laptop does depends on what runs there. */
export const takesMessages = ({ ingest }: Pick<Stage, "ingest">): boolean => ingest !== undefined;

/**
 * How full each queue is; undefined where there are none: the stage takes in no records by messages, or no service runs on
 * the data directory.
 */
async function readQueues(options: StoreOptions): Promise<Parts["queues"] | undefined> {
  if (options.stage !== undefined && !takesMessages(readStageFile(options.stage))) return undefined;
  const { openQueues } = await import("../queue/queue-client.ts");
  const opened = await openQueues(options);
  try {
    return opened && (await Promise.all(queues.map((queue) => readQueue(opened, queue))));
  } finally {
    opened?.close();
  }
}

async function readQueue(
  { client, url }: OperatorQueues,
  queue: Part<"queues">["queue"],
): Promise<Part<"queues">> {
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

/** The switches that are off. @throws {Failure} when the store does not answer. */
async function readOffSwitches({ table }: Pick<OperatorStore, "table">): Promise<Parts["switchesOff"]> {
  const found = endpoints.map(async ({ contract: { name } }): Promise<Parts["switchesOff"]> => {
    const item = await readItem(table("Settings"), { key: { id: switchId(name) } });
    const position = switchOf(item);
    const { at, by = null } = attributionOf(item) ?? {};
    const since = at === undefined ? null : instantText(at);
    return position.on ? [] : [{ endpoint: name, reason: position.reason, by, at: since }];
  });
  return (await Promise.all(found)).flat();
}

/** How a stage stands, part by part. Parts that there are not are absent: a laptop has no alarms, for example. */
export interface Status {
  readonly switches: Seen<Pick<Parts, "switchesOff">>;
  readonly credentials: Seen<CredentialState>;
  readonly queues: Seen<Partial<Pick<Parts, "queues">>>;
  readonly records: Seen<Partial<Pick<Parts, "tables" | "tenants">>>;
  readonly alarms: Seen<Partial<Pick<Parts, "alarms">>>;
}

interface StatusQuestion {
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
    look(async () => ({ switchesOff: await readOffSwitches(store) })),
    look(() => readCredentialState(store, now)),
    look(async () => {
      const found = stage === undefined || own !== undefined ? await readQueues(options) : undefined;
      return { ...(found !== undefined && { queues: found }) };
    }),
    look(async () => {
      if (counting !== undefined) return { tenants: [...(await countAll(store, counting, now))] };
      return { ...(store.aws !== undefined && { tables: [...(await readTableSizes(store))] }) };
    }),
    look(async () => ({ ...(own !== undefined && { alarms: await readAlarms(own.stage, own.region) }) })),
  ]);
  return { switches, credentials, queues, records, alarms };
}
