import { Notice } from "../parts/notice.tsx";
import { DatedRecord } from "./dated-record.tsx";
import { PassRecord } from "./pass-record.tsx";
import { useRecord } from "./use-record.ts";

/** One record: an order or a transaction as a timeline, a pass as a card. */
export function RecordView({ id }: { readonly id: string }) {
  const shown = useRecord(id);
  const { record, failure, step } = shown;
  return (
    <>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <p class="visually-hidden" role="status">
        {step !== undefined && `The ${step.kind} went from ${step.from} to ${step.state}.`}
      </p>
      {step?.unusual != null && <Notice tone="warn">This step is unusual: {step.unusual}.</Notice>}
      {record?.kind === "pass" && <PassRecord record={record} shown={shown} />}
      {record !== undefined && record.kind !== "pass" && <DatedRecord record={record} shown={shown} />}
    </>
  );
}
