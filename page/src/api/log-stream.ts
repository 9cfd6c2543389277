import type { LogEvent } from "../../../local/page/page-questions.ts";
import { pageKey } from "./ask.ts";

/** A lost connection is `connecting` again by itself; `broken` stays so: the document is of an earlier start. */
export type StreamState = "connecting" | "open" | "broken";

interface LogListener {
  /** Called for each request, the oldest that the server remembers first. */
  readonly heard: (event: LogEvent) => void;
  readonly changed: (state: StreamState) => void;
}

/** Hears the last requests that the server remembers, then each new one, missing none. @returns what ends it. */
export function listenToLog({ heard, changed }: LogListener): () => void {
  const source = new EventSource(`/_page/api/log?key=${encodeURIComponent(pageKey())}`);
  source.addEventListener("open", () => changed("open"));
  source.addEventListener("error", () =>
    changed(source.readyState === EventSource.CLOSED ? "broken" : "connecting"),
  );
  source.addEventListener("message", ({ data }: MessageEvent<string>) => heard(JSON.parse(data) as LogEvent));
  return () => source.close();
}
