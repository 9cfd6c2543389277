import type { RecordState } from "../../../local/page/page-questions.ts";
import { FailureNotice } from "../api/failure-notice.tsx";
import { Notice } from "../parts/notice.tsx";
import { DatedRecord } from "./dated-record.tsx";
import { PassRecord } from "./pass-record.tsx";
import { useRecord } from "./use-record.ts";

interface RecordViewProps {
  readonly id: string;
  /** Hears each state that the record is seen in. */
  readonly onState: (record: RecordState) => void;
}

/** One record: an order or a transaction as a timeline, a pass as a card. */
export function RecordView({ id, onState }: RecordViewProps) {
  const shown = useRecord(id, onState);
  const { record, failure, step } = shown;
  return (
    <>
      <FailureNotice failure={failure} refusal={record ? "Refused" : "Not found"} />
      <p class="visually-hidden" role="status">
        {step !== undefined && `The ${step.kind} went from ${step.from} to ${step.state}.`}
      </p>
      {step?.unusual != null && <Notice tone="warn">This step is unusual: {step.unusual}.</Notice>}
      {record?.kind === "pass" && <PassRecord record={record} shown={shown} />}
      {record !== undefined && record.kind !== "pass" && <DatedRecord record={record} shown={shown} />}
    </>
  );
}
