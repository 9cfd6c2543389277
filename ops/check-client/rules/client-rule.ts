import type { Brand } from "../../../lib/brand.ts";
import { type Level, NotObservable, type Observation, type Rule } from "../../checks/rule.ts";
import type { InterfaceName } from "../scene.ts";
import type { RunEnd, SentRequest, Visit } from "../visit.ts";

/** What a check has seen of a client on one interface. */
export interface Evidence {
  readonly interfaceName: InterfaceName;
  /** The requests of the interface, in their order. */
  readonly visits: readonly Visit[];
  /** The runs of the client that have ended. */
  readonly runs: readonly RunEnd[];
  /** Requests that followed a redirect. */
  readonly astray: readonly SentRequest[];
  /** The client's own copy of the records: its output, what it posted, and the file of --copy. */
  readonly copy: string;
  readonly brand: Brand;
  readonly baseUrl: string;
  /** The client's public key of the exchange, 64 hex digits. */
  readonly publicKeyHex: string;
  /** After this silence the client does not come back. */
  readonly patienceMs: number;
  /** When the evidence is judged, epoch milliseconds. */
  readonly now: number;
}

/** One thing that a client has to do, and how to see whether it does. What is seen names requests by their numbers. */
export interface ClientRule extends Omit<Rule<Evidence>, "level"> {
  /** Where it differs from interface to interface, a function: their contracts do not say the same. */
  readonly level?: Level | ((name: InterfaceName) => Level);
  readonly advice: string;
  /** The interfaces that the rule is for; all unless given. */
  readonly interfaces?: readonly InterfaceName[];
}

/** The interfaces that list records. */
export const listings = ["exchange", "business"] as const;

/** The level of a rule that the contracts of these interfaces state; elsewhere it is another one. */
export const contractOf =
  (names: readonly InterfaceName[], elsewhere: Level) =>
  (name: InterfaceName): Level =>
    names.includes(name) ? "contract" : elsewhere;

export const pass = (seen: string): Observation => ({ holds: true, seen });
export const fail = (seen: string): Observation => ({ holds: false, seen });
/** A rule could not be checked. @throws {NotObservable} */
export function unseen(reason: string): never {
  throw new NotObservable(reason);
}

/** `request 4`, as the list of requests numbers them. */
export const named = ({ number }: Visit): string => `request ${number}`;

/** The end of a request's run; undefined while it lasts. */
export const endOf = ({ runs }: Evidence, { run }: Visit): RunEnd | undefined =>
  runs.find((end) => end.run === run);

/** Whether nothing more can follow a request: its run has ended, or the client was silent for too long. */
export const isSettled = (evidence: Evidence, visit: Visit): boolean =>
  endOf(evidence, visit) !== undefined || evidence.now - visit.answeredMs > evidence.patienceMs;

/** The requests that got the whole answer of a station of these contents. */
export const answeredWith = ({ visits }: Evidence, ...answers: readonly string[]): Visit[] =>
  visits.filter(
    ({ status, step }) =>
      status === 200 && step !== undefined && step.trouble === undefined && answers.includes(step.answer),
  );

/** Whether a request is for a page of a listing. */
export const isOfListing = ({ endpoint }: Visit): boolean => LISTINGS.has(endpoint);
const LISTINGS: ReadonlySet<string> = new Set(["list-trades", "list-transactions"]);
