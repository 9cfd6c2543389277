import { useState } from "preact/hooks";
import { parseTwice } from "../../../client/src/exact-json.ts";
import { Trouble } from "../api/failure-notice.tsx";
import { useSession } from "../api/session.tsx";
import { OnPurpose } from "../log/on-purpose.tsx";
import { ExactJson } from "../parts/exact-json.tsx";
import { Notice } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import { useFound } from "../use-live.ts";
import { amountsOf } from "./amounts.ts";
import { FinalNote } from "./final-note.tsx";
import { readRecord } from "./read-record.ts";
import styles from "./records.module.css";
import { type DatedMembers, timelineOf } from "./timeline.ts";
import { Timeline } from "./timeline-view.tsx";
import type { RecordProps } from "./use-record.ts";

/** An order or a transaction: its timeline, its amounts, and the record as its endpoint answers it. */
export function DatedRecord({ record, shown }: RecordProps) {
  const session = useSession();
  const [timesCleared, setTimesCleared] = useState(0);
  // The record is read again after each step, and after the fault that it met.
  const outcome = useFound(() => readRecord(record, session), [record, session, timesCleared]);
  if (outcome === undefined) return <p role="status">Reading …</p>;
  const onPurpose = <OnPurpose by={outcome.by} onClear={() => setTimesCleared(timesCleared + 1)} />;
  if (outcome.kind !== "answered")
    return (
      <>
        <Trouble word="No answer" text={outcome.reason} />
        {onPurpose}
      </>
    );
  const { status, text } = outcome.answer;
  // With every number as text.
  const members = status === 200 ? (parseTwice(text).exact as DatedMembers) : {};
  return (
    <div class={`columns ${styles.columns}`}>
      <section aria-labelledby="timeline-title">
        <h2 id="timeline-title">
          {record.kind} <code>{record.id}</code>
        </h2>
        <Timeline
          entries={timelineOf(record, members)}
          isAnswered={status === 200}
          isBusy={shown.isBusy}
          onAdvance={shown.advance}
        />
        {record.next.length === 0 && <FinalNote state={record.state} />}
      </section>
      <section aria-labelledby="record-title">
        <h2 id="record-title">The record</h2>
        {status === 200 ? (
          <Amounts text={text} />
        ) : (
          <Notice tone="warn">Its endpoint answered {status}. Its state is that of the local store.</Notice>
        )}
        {onPurpose}
        <ExactJson label="As its endpoint answers it" text={text} />
      </section>
    </div>
  );
}

const Amounts = ({ text }: { readonly text: string }) => (
  <Table
    caption="Amounts, with every digit"
    head={["What", "Amount", "Unit"]}
    figures={[1]}
    rows={amountsOf(text).map(({ name, amount, unit }) => [name, amount, unit])}
  />
);
