import { useEffect, useState } from "preact/hooks";
import { listenToLog, type StreamState } from "../api/log-stream.ts";
import { useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Faults } from "./faults.tsx";
import styles from "./log.module.css";
import { cleared, EMPTY_BOOK, heard, KEPT_MAX, paused, type RequestBook, resumed } from "./request-book.ts";
import { EVERY_REQUEST, isWanted, type RequestFilter, type StatusGroup } from "./request-filter.ts";
import { RequestRow } from "./request-row.tsx";

/** The screen "Live log": each request as it is answered, and faults on purpose. */
export function Log() {
  const [book, setBook] = useState(EMPTY_BOOK);
  const [state, setState] = useState<StreamState>("connecting");
  const [filter, setFilter] = useState(EVERY_REQUEST);
  useEffect(
    () => listenToLog({ heard: (event) => setBook((before) => heard(before, event)), changed: setState }),
    [],
  );
  return (
    <>
      <h1>Live log</h1>
      <p>
        Every request that the local server answers, whoever sends it. Neither credentials nor bodies are
        kept.
      </p>
      <Faults />
      <div class={styles.bar}>
        <Filters filter={filter} onFilter={setFilter} />
        <Controls book={book} onBook={setBook} />
      </div>
      <Requests book={book} state={state} filter={filter} />
    </>
  );
}

const STATUSES: readonly (readonly [StatusGroup, string])[] = [
  ["", "All"],
  ["2", "2xx: answered"],
  ["3", "3xx: not modified"],
  ["4", "4xx: refused"],
  ["5", "5xx: failed"],
  ["none", "No answer"],
];

interface FiltersProps {
  readonly filter: RequestFilter;
  readonly onFilter: (filter: RequestFilter) => void;
}

function Filters({ filter, onFilter }: FiltersProps) {
  const { endpoints } = useSession();
  return (
    <search class="fields">
      <Field
        label="Endpoint"
        value={filter.endpoint}
        onInput={(endpoint) => onFilter({ ...filter, endpoint })}
        choices={[["", "All"], ...endpoints.map(({ name }) => [name, name] as const)]}
      />
      <Field
        label="Status"
        value={filter.status}
        onInput={(status) => onFilter({ ...filter, status: status as StatusGroup })}
        choices={STATUSES}
      />
      <Field
        label="Text"
        value={filter.text}
        onInput={(text) => onFilter({ ...filter, text })}
        placeholder="path, code, hint, id"
      />
    </search>
  );
}

interface ControlsProps {
  readonly book: RequestBook;
  readonly onBook: (change: (book: RequestBook) => RequestBook) => void;
}

/** Pauses the log and lets it go on, and empties it. */
const Controls = ({ book: { isPaused, shown }, onBook }: ControlsProps) => (
  <div class="buttons">
    <Button isPressed={isPaused} onClick={() => onBook(isPaused ? resumed : paused)}>
      Pause
    </Button>
    <Button isDisabled={shown.length === 0} onClick={() => onBook(cleared)}>
      Empty
    </Button>
  </div>
);

interface RequestsProps {
  readonly book: RequestBook;
  readonly state: StreamState;
  readonly filter: RequestFilter;
}

/** The requests that are wanted, a line each, below whether the log is heard at all. */
function Requests({ book: { shown, held, isPaused }, state, filter }: RequestsProps) {
  const wanted = shown.filter((event) => isWanted(filter, event));
  return (
    <>
      <h2 class="visually-hidden" id="requests-title">
        Requests
      </h2>
      <p class="soft">
        <span role="status">{stateText(state, isPaused)}</span>
        {isPaused && held.length > 0 && `, ${held.length} new`}.{" "}
        {shown.length > 0 &&
          `${wanted.length} of ${shown.length} requests, newest first. The last ${KEPT_MAX} are kept.`}
      </p>
      {shown.length === 0 && (
        <p>
          No request yet. Send one, as on <a href="#/try">Try it</a>, and it appears here.
        </p>
      )}
      {shown.length > 0 && wanted.length === 0 && <p>No request fits the filter.</p>}
      {wanted.length > 0 && (
        <ol class={`panel ${styles.requests}`} aria-labelledby="requests-title">
          {wanted.map((event) => (
            <RequestRow key={event.requestId} event={event} />
          ))}
        </ol>
      )}
    </>
  );
}

function stateText(state: StreamState, isPaused: boolean): string {
  if (state !== "open") return state === "broken" ? "Ended" : "Not listening";
  return isPaused ? "Paused" : "Listening";
}
