import type { LogEvent } from "../../../local/page/log-event.ts";
import { pageKey } from "./ask.ts";

export type { LogEvent } from "../../../local/page/log-event.ts";

/** Whether events arrive. A stream that is broken connects again by itself. */
export type StreamState = "connecting" | "open" | "broken";

interface LogListener {
  /** Called for each request, the oldest that the server remembers first. */
  readonly heard: (event: LogEvent) => void;
  readonly changed?: (state: StreamState) => void;
}

/**
 * Listens to the requests that the local server answers: first the last ones that it remembers, then each new one. After
 * a break the server sends only what was missed.
 *
 * @returns a function that ends it.
 */
export function listenToLog({ heard, changed = () => {} }: LogListener): () => void {
  changed("connecting");
  const source = new EventSource(`/_page/api/log?key=${encodeURIComponent(pageKey())}`);
  source.onopen = () => changed("open");
  source.onerror = () => changed(source.readyState === EventSource.CLOSED ? "broken" : "connecting");
  source.onmessage = ({ data }: MessageEvent<string>) => heard(JSON.parse(data) as LogEvent);
  return () => source.close();
}
