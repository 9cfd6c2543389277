import type { LogEvent } from "../../../local/page/page-questions.ts";
import { pageKey } from "./ask.ts";

/**
 * Whether events arrive. A lost connection is `connecting` again by itself; `broken` stays so, because the server that the
 * document came from has been started again.
 */
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
  source.addEventListener("open", () => changed("open"));
  source.addEventListener("error", () =>
    changed(source.readyState === EventSource.CLOSED ? "broken" : "connecting"),
  );
  source.addEventListener("message", ({ data }: MessageEvent<string>) => heard(JSON.parse(data) as LogEvent));
  return () => source.close();
}
