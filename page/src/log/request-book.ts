import type { LogEvent } from "../../../local/page/page-questions.ts";

/** Requests that are kept: as many as the server remembers for a page that is opened later. */
export const KEPT_MAX = 200;

/** The requests that were heard of. */
export interface RequestBook {
  /** Those that are shown, newest first. */
  readonly shown: readonly LogEvent[];
  /** Those that came while the log was paused, newest first. */
  readonly held: readonly LogEvent[];
  readonly isPaused: boolean;
}

/** A book in which nothing stands yet. */
export const EMPTY_BOOK: RequestBook = { shown: [], held: [], isPaused: false };

const kept = (events: readonly LogEvent[]): readonly LogEvent[] => events.slice(0, KEPT_MAX);

/** The book with one more request; one that stands in it already, as after a broken connection, is not added again. */
export function heard(book: RequestBook, event: LogEvent): RequestBook {
  const isKnown = [...book.held, ...book.shown].some(({ requestId }) => requestId === event.requestId);
  if (isKnown) return book;
  if (book.isPaused) return { ...book, held: kept([event, ...book.held]) };
  return { ...book, shown: kept([event, ...book.shown]) };
}

/** The book as it stands still: what comes from now on is held back. */
export const paused = (book: RequestBook): RequestBook => ({ ...book, isPaused: true });

/** The book as it goes on, with what was held back. */
export const resumed = ({ shown, held }: RequestBook): RequestBook => ({
  shown: kept([...held, ...shown]),
  held: [],
  isPaused: false,
});

/** The book without the requests that are shown. */
export const cleared = (book: RequestBook): RequestBook => ({ ...book, shown: [] });
