import type { OperatorStore } from "../store/operator-store.ts";
import type { StoreOptions } from "../store/store-options.ts";
import { countAll } from "../tenants/count-all.ts";
import type { Watch } from "../tenants/read-pages.ts";
import { readTableSizes, type TableSize } from "../tenants/table-sizes.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { type RingingAlarm, readRingingAlarms } from "./read-alarms.ts";
import { type CredentialState, readCredentialState } from "./read-credentials.ts";
import { type QueueState, readQueues } from "./read-queues.ts";
import { type OffSwitch, readOffSwitches } from "./read-switches.ts";
import { look, type Seen } from "./why-not.ts";

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
