import type { ServerResponse } from "node:http";
import type { LogEvent } from "./page-questions.ts";

/** Requests that a listener gets at once, before new ones. */
const REMEMBERED_MAX = 200;
/** A listener that has this much unread is dropped: its browser connects again, and gets what it missed. */
const UNREAD_BYTES_MAX = 1_048_576;
/** Comments keep a quiet connection from being taken for a broken one. */
const HEARTBEAT_MS = 15_000;

interface NumberedEvent {
  readonly number: number;
  readonly event: LogEvent;
}

/** Tells listeners of the page of each request, as server-sent events (HTML standard, section 9.2). */
export class LiveLog {
  readonly #listeners = new Set<ServerResponse>();
  readonly #events: NumberedEvent[] = [];
  /** Numbers begin with the start, so that a listener of an earlier start misses nothing. */
  readonly #start: string;
  readonly #heartbeat: NodeJS.Timeout;
  #count = 0;

  constructor(start: string, heartbeatMs = HEARTBEAT_MS) {
    this.#start = start;
    this.#heartbeat = setInterval(() => this.#writeAll(": still here\n\n"), heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Tells every listener of a request, and remembers it for those that come later. */
  tell(event: LogEvent): void {
    this.#count += 1;
    const numbered = { number: this.#count, event };
    this.#events.push(numbered);
    if (this.#events.length > REMEMBERED_MAX) this.#events.shift();
    if (this.#listeners.size > 0) this.#writeAll(this.#textOf(numbered));
  }

  /** Sends the remembered requests after the given id, or all of them, and from then on each new one. */
  listen(response: ServerResponse, lastId: string | undefined): void {
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const after = this.#numberIn(lastId);
    response.write(
      `: listening\n\n${this.#events
        .filter(({ number }) => number > after)
        .map((event) => this.#textOf(event))
        .join("")}`,
    );
    this.#listeners.add(response);
    response.once("close", () => this.#listeners.delete(response));
  }

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Ends every stream. */
  close(): void {
    clearInterval(this.#heartbeat);
    for (const listener of this.#listeners) listener.end();
  }

  #writeAll(text: string): void {
    for (const listener of this.#listeners) {
      listener.write(text);
      if (listener.writableLength > UNREAD_BYTES_MAX) listener.destroy();
    }
  }

  #textOf({ number, event }: NumberedEvent): string {
    return `id: ${this.#start}-${number}\ndata: ${JSON.stringify(event)}\n\n`;
  }

  /** The number in an id of this start; 0 for any other. */
  #numberIn(id = ""): number {
    const [start, number] = id.split("-");
    return start === this.#start ? Number(number) || 0 : 0;
  }
}
