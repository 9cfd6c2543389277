import { Failure } from "../errors.ts";
import { type Fault, faultOf, inSources, type Log, type LogLine, timestampOf } from "../log.ts";
import { type MetricName, metricMembers } from "../metrics.ts";
import type { RecordKind } from "./message.ts";

/** What became of records, by the names of their metrics. Those with an unusual step are among the written ones. */
type RecordMetric = Extract<MetricName, `Records${string}`>;

/** The kind under which a message counts that cannot be read. */
const UNKNOWN_KIND = "unknown";

/** A fault that kept records from being stored or rejected, and how many. */
interface CountedFault {
  readonly fault: Fault;
  /** Whether it may pass by itself. */
  passes: boolean;
  records: number;
}

/** What became of the records of one kind. */
interface KindReport {
  readonly values: Partial<Record<RecordMetric, number>>;
  readonly faults: Map<string, CountedFault>;
}

/** The most faults that the line of a kind tells apart, and what stands for all others. */
const FAULTS_MAX = 8;
const OTHER_FAULTS: Fault = { name: "other faults", frames: [] };

/** Faults of one name are told once. It is made of what costs little to learn, because every record may have a fault. */
const nameOf = ({ name, message, cause, frames }: Fault): string =>
  JSON.stringify([name, message, cause?.name, cause?.code, frames[0]]);

/** Names of the errors of work whose time was over. */
const LATE: ReadonlySet<string> = new Set(["AbortError", "TimeoutError"]);

/** Whether an error says that the store or the queue did not answer for now, or that the time was over. */
const isPassing = (error: unknown): boolean =>
  error instanceof Failure
    ? error.code === "temporarily_unavailable"
    : error instanceof Error && LATE.has(error.name);

/** Counts what becomes of the records of a batch, and writes the lines about it. None has any text of a record. */
export class BatchReport {
  readonly #kinds = new Map<string, KindReport>();

  count(kind: RecordKind | undefined, metric: RecordMetric, records = 1): void {
    if (records === 0) return;
    const { values } = this.#of(kind);
    values[metric] = (values[metric] ?? 0) + records;
  }

  /** Counts a record whose message is returned, and the error that kept it from being stored or rejected. */
  countReturned(kind: RecordKind | undefined, error: unknown): void {
    this.count(kind, "RecordsReturned");
    const counted = faultIn(this.#of(kind).faults, faultOf(error));
    counted.records += 1;
    counted.passes &&= isPassing(error);
  }

  /**
   * Writes a line for each kind of record, with its metrics and faults.
   *
   * @param now epoch milliseconds. @param origin members that all lines share, such as the id of the invocation.
   */
  write(log: Log, now: number, origin: object): void {
    for (const [kind, { values, faults }] of this.#kinds) {
      const told = [...faults.values()].map(({ fault, records }) => ({ records, ...inSources(fault) }));
      const line = {
        timestamp: timestampOf(now),
        level: levelOf([...faults.values()]),
        ...origin,
        kind,
        ...(told.length > 0 && { faults: told }),
        ...metricMembers(now, { by: "kind", values }),
      };
      log(line);
    }
  }

  #of(kind: RecordKind | undefined): KindReport {
    const known = this.#kinds.get(kind ?? UNKNOWN_KIND);
    if (known !== undefined) return known;
    const made: KindReport = { values: {}, faults: new Map() };
    this.#kinds.set(kind ?? UNKNOWN_KIND, made);
    return made;
  }
}

/** The count of a fault; of those that are left over, once there are enough different ones. */
function faultIn(faults: KindReport["faults"], fault: Fault): CountedFault {
  const name = nameOf(fault);
  const isTold = faults.has(name) || faults.size < FAULTS_MAX;
  const [key, told] = isTold ? [name, fault] : [nameOf(OTHER_FAULTS), OTHER_FAULTS];
  const counted = faults.get(key) ?? { fault: told, passes: true, records: 0 };
  faults.set(key, counted);
  return counted;
}

/** A fault that does not pass by itself needs somebody. */
function levelOf(faults: readonly CountedFault[]): LogLine["level"] {
  if (faults.length === 0) return "INFO";
  return faults.every(({ passes }) => passes) ? "WARN" : "ERROR";
}
