import type { Clock } from "../../../lib/clock.ts";
import { nearestName } from "../../../lib/http/nearest-name.ts";
import { epochMsOf, instantOf, parseInstant, utcText } from "../../../lib/instant.ts";
import type { Members } from "../../../lib/json-value.ts";
import { OperatorError } from "../../process/operator-error.ts";
import { today } from "../../records/longer-id.ts";
import {
  passKind,
  type RecordKind,
  type RecordStore,
  type StoredRecord,
  sellOrderKind,
  transactionKind,
} from "./record-kinds.ts";

const KINDS: readonly RecordKind[] = [sellOrderKind, transactionKind, passKind];

/** A record that one id stands for. */
export interface FoundRecord {
  readonly kind: RecordKind;
  readonly record: StoredRecord;
}

/** A record that a person names. */
interface WantedRecord {
  readonly id: string;
  /** The owner of the record, where several have its id. */
  readonly owner?: string | undefined;
  /** Where a person finds ids of the demo. */
  readonly idsIn?: string;
}

/** A step that a person asks for. */
interface WantedStep extends WantedRecord {
  /** The word for a state, in any letter case; undefined for the next state. */
  readonly to?: string | undefined;
}

/** A step that a record has taken. */
export interface TakenStep extends FoundRecord {
  readonly from: string;
  readonly to: string;
  /** Why the domain calls the step unusual; undefined for a usual one. */
  readonly unusual: string | undefined;
}

/**
 * Moves a record to its next state or to a reachable one, by its domain's own writer.
 *
 * @throws {OperatorError} for an id of no record or of several, and for a state that cannot be reached; the message
 *   lists what is possible.
 */
export async function advanceRecord(
  store: RecordStore,
  wanted: WantedStep,
  clock: Clock,
): Promise<TakenStep> {
  const { id } = wanted;
  const { kind, record } = await findRecord(store, wanted);
  const state = stateMeant({ kind, record }, store, id, wanted.to);
  const change = { brand: store.brand, at: instantAfter(record.members, clock) };
  const changed = { ...record, members: kind.changed(record.members, state, change) };
  const outcome = await kind.put(store, changed, state, clock);
  if (outcome.outcome === "refused")
    throw new OperatorError(`The ${kind.noun} ${id} cannot be ${state}: ${outcome.reason}.`);
  if (outcome.outcome !== "written")
    throw new OperatorError(`The ${kind.noun} ${id} was changed by another program meanwhile. Run it again.`);
  const [from, to] = [kind.stateOf(record.members), kind.stateOf(changed.members)];
  return { kind, record: changed, from, to, unusual: outcome.unusual };
}

/**
 * Finds the record with an id, of an owner where several have the id. An id may be as an answer of tomorrow has it.
 *
 * @throws {OperatorError} for an id of no record or of several.
 */
export async function findRecord(store: RecordStore, wanted: WantedRecord): Promise<FoundRecord> {
  const { id, owner } = wanted;
  const ofKinds = KINDS.map(async (kind) =>
    (await kind.find(store, today(id))).map((record): FoundRecord => ({ kind, record })),
  );
  const all = (await Promise.all(ofKinds)).flat();
  const found = owner === undefined ? all : all.filter(({ record }) => record.ownerId === owner);
  const [only, second] = found;
  if (only === undefined) throw new OperatorError(missing(store, wanted, all));
  if (second === undefined) return only;
  const list = found.map(nameOf).join(", ");
  throw new OperatorError(`${id} stands for several records: ${list}. Say which with --owner.`);
}

const nameOf = ({ kind, record: { ownerId } }: FoundRecord): string =>
  `a ${kind.noun}${ownerId === undefined ? "" : ` of ${ownerId}`}`;

function missing(
  { name }: RecordStore,
  { id, owner, idsIn = "demo.json in the data directory" }: WantedRecord,
  others: readonly FoundRecord[],
): string {
  if (others.length > 0) return `${owner} has no ${id}: it is ${others.map(nameOf).join(", ")}.`;
  return `There is no sell order, transaction or pass ${id} in ${name}. ${idsIn} has an id of each state.`;
}

function stateMeant(
  { kind, record: { members } }: FoundRecord,
  { brand }: RecordStore,
  id: string,
  to: string | undefined,
): string {
  const possible = kind.reaches(members, brand);
  const now = kind.stateOf(members);
  const [next] = possible;
  if (next === undefined)
    throw new OperatorError(
      `The ${kind.noun} ${id} is ${now}, which is final: it proceeds to no other state.`,
    );
  if (to === undefined) return next;
  const meant = possible.find((state) => state.toLowerCase() === to.toLowerCase());
  if (meant !== undefined) return meant;
  const near = nearestName(to, possible);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  throw new OperatorError(
    `The ${kind.noun} ${id} is ${now} and cannot become ${to}.${hint} It can become ${possible.join(", ")}.`,
  );
}

/** Now, or a millisecond after the record's last update if that is later: an older version would be stale. */
function instantAfter({ updated_at: updatedAt }: Members, clock: Clock): string {
  const updated = typeof updatedAt === "string" ? parseInstant(updatedAt) : undefined;
  const updatedMs = updated === undefined ? 0 : epochMsOf(updated);
  return utcText(instantOf(Math.max(clock(), updatedMs + 1)));
}
