import type { Field, HttpMessage, Message } from "./message.ts";
import type { Answer } from "./read-answer.ts";
import type { Destination } from "./send-message.ts";
import { CannotAsk, type Side } from "./side.ts";

/** A message and where it goes: to the side's address, unless it says another. */
export interface Sending {
  readonly message: Message;
  readonly to?: Destination;
}

/** One request of the suite, which is sent to both sides. */
export interface Probe {
  /**
   * In kebab-case, unique in the suite. Those of an endpoint begin with the endpoint's name. Another request gets another
   * name: receipts know by it what they have the answer to.
   */
  readonly name: string;
  /** What the request shows, as one sentence. */
  readonly shows: string;
  /** The status by which the request shows it; undefined where the status itself is the question. */
  readonly meant?: number;
  /** A request to send first, because its response supplies a value. */
  readonly before?: (side: Side) => Sending | Promise<Sending>;
  /** @throws {CannotAsk} when the side lacks what the request needs. */
  readonly sending: (side: Side, before: Answer | undefined) => Sending | Promise<Sending>;
  /** Whose limit the request uses up: it is sent again and again until it is refused. */
  readonly usesUp?: string;
}

/** A GET of a target below the base path. */
export const get = (side: Side, target: string, ...headers: readonly Field[]): Sending => ({
  message: { target: `${side.basePath}${target}`, headers },
});

/** A GET of a pass by the wallet service's token. */
export const getPass = (side: Side, path: string, ...headers: readonly Field[]): Sending =>
  get(side, path, side.version(), side.bearer("passes.token"), ...headers);

/** A request without credentials that differs from a GET in the given members; its target stands below the base path. */
export const plain =
  (message: HttpMessage) =>
  ({ basePath }: Side): Sending => ({ message: { ...message, target: `${basePath}${message.target}` } });

/** A text as a segment of a path. A colon stands as it is: what is signed is the path as it was decoded. */
export const segment = (text: string): string => encodeURIComponent(text).replaceAll("%3A", ":");

/** A text with each byte encoded twice, as a segment of a path. */
export const segmentTwice = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%25${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** Requires what an answer was asked for. @throws {CannotAsk} when the answer lacks it. */
export function found(side: Side, value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new CannotAsk(`${side.label} answered without ${name} before`);
}
