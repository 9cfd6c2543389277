import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { parseTwice } from "../../../client/src/exact-json.ts";
import type { Explanation } from "../../../local/history/explain-route.ts";
import type { RecordState } from "../../../local/page/page-questions.ts";
import { Trouble } from "../api/failure-notice.tsx";
import { useSession } from "../api/session.tsx";
import { OnPurpose } from "../log/on-purpose.tsx";
import { Button } from "../parts/button.tsx";
import { ExactJson } from "../parts/exact-json.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { FinalNote } from "./final-note.tsx";
import { PassCard } from "./pass-card.tsx";
import { passCardOf } from "./pass-card-fields.ts";
import { readRecord } from "./read-record.ts";
import styles from "./records.module.css";
import { lastTagOf, meaningOf, type TagReading } from "./tag-history.ts";
import type { RecordProps } from "./use-record.ts";

/** The steps of a pass, as buttons name them. */
const STEPS: Readonly<Record<string, string>> = {
  next: "Advance to the next version",
  void: "Void the pass instead",
};

/** A pass as a card, with the readings of it: each version of a pass has a tag of its own. */
export function PassRecord({ record, shown }: RecordProps) {
  const { readings, text, failure, by, isReading, read } = usePassReadings(record);
  const tag = lastTagOf(readings);
  const isBusy = shown.isBusy || isReading;
  const history = useRef<HTMLOListElement>(null);
  // The buttons that lead on are gone with the pass, and the keyboard goes on from its last reading.
  const isVoided = shown.step?.state === "void";
  useEffect(() => {
    if (isVoided) history.current?.focus();
  }, [isVoided]);
  return (
    <div class={`columns ${styles.columns}`}>
      <section aria-labelledby="pass-title">
        <h2 id="pass-title">
          pass <code>{record.id}</code>
        </h2>
        {text === undefined ? (
          <p>{isReading ? "Reading …" : whyNothing(record)}</p>
        ) : (
          <PassCard content={passCardOf(parseTwice(text).exact)} isVoid={record.state === "void"} />
        )}
        <div class="buttons">
          {record.next.map((state, at) => (
            <Button
              key={state}
              kind={at === 0 ? "main" : "plain"}
              isDisabled={isBusy}
              onClick={() => void shown.advance(state)}
            >
              {STEPS[state] ?? state}
            </Button>
          ))}
        </div>
        {record.next.length === 0 && <FinalNote state={record.state} />}
      </section>
      <section aria-labelledby="tags-title">
        <h2 id="tags-title">Its tags</h2>
        <Trouble word="No answer" text={failure} />
        <OnPurpose by={by} onClear={() => void read(tag)} />
        <div class="buttons">
          <Button isDisabled={isBusy || tag === undefined} onClick={() => void read(tag)}>
            Ask with the tag
          </Button>
          <Button isDisabled={isBusy} onClick={() => void read()}>
            Ask without a tag
          </Button>
        </div>
        <Readings readings={readings} list={history} />
        {text !== undefined && <ExactJson label="As its endpoint answered it last" text={text} />}
      </section>
    </div>
  );
}

const whyNothing = ({ state }: RecordState): string =>
  state === "void" ? "It is voided: nothing of it is left to show." : "Its endpoint has not answered it yet.";

/** Reads a pass when it is opened and after each step, with the last tag that is known. */
function usePassReadings(record: RecordState) {
  const session = useSession();
  const [readings, setReadings] = useState<readonly TagReading[]>([]);
  const [text, setText] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [by, setBy] = useState<Explanation>();
  const [isReading, setReading] = useState(false);
  const read = async (sentTag?: string): Promise<void> => {
    setReading(true);
    const headers = sentTag === undefined ? {} : { "If-None-Match": sentTag };
    const outcome = await readRecord(record, session, headers);
    setReading(false);
    setBy(outcome.by);
    if (outcome.kind !== "answered") return setFailure(outcome.reason);
    const { status, headers: answered } = outcome.answer;
    setFailure(undefined);
    setReadings((before) => [...before, { sentTag, status, tag: answered.etag }]);
    if (status === 200) setText(outcome.answer.text);
  };
  // `read` is a new function each time; only a new state of the record is a reason to read.
  useEffect(() => void read(lastTagOf(readings)), [record]);
  return { readings, text, failure, by, isReading, read };
}

interface ReadingsProps {
  readonly readings: readonly TagReading[];
  readonly list: RefObject<HTMLOListElement | null>;
}

function Readings({ readings, list }: ReadingsProps) {
  return (
    <ol
      class={styles.readings}
      ref={list}
      tabIndex={-1}
      aria-label="Readings, the last one at the end"
      aria-live="polite"
    >
      {readings.map((reading, at) => (
        <li key={at}>
          <StatusChip status={reading.status} />{" "}
          <strong>{meaningOf(reading, lastTagOf(readings.slice(0, at)))}</strong>
          <br />
          <code>
            {reading.sentTag === undefined ? "without If-None-Match" : `If-None-Match: ${reading.sentTag}`}
          </code>
          <br />
          <code>{reading.tag === undefined ? "without an ETag" : `ETag: ${reading.tag}`}</code>
        </li>
      ))}
    </ol>
  );
}
