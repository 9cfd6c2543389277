import { useEffect, useState } from "preact/hooks";
import type { AdvancedRecord, RecordState } from "../../../local/page/page-questions.ts";
import { type AskError, ask } from "../api/ask.ts";

/** A record of the demo, and the way to move it on. */
export interface ShownRecord {
  /** Undefined until the local server has said it. */
  readonly record: RecordState | undefined;
  /** Why the last question was not answered. */
  readonly failure: AskError | undefined;
  /** The last step that was taken here. */
  readonly step: AdvancedRecord | undefined;
  readonly isBusy: boolean;
  readonly advance: (to?: string) => Promise<void>;
}

/** What shows a record that is there. */
export interface RecordProps {
  readonly record: RecordState;
  readonly shown: ShownRecord;
}

/** Asks for the state of a record, and advances it. */
export function useRecord(id: string, onState: (record: RecordState) => void): ShownRecord {
  const [record, setRecord] = useState<RecordState>();
  const [failure, setFailure] = useState<AskError>();
  const [step, setStep] = useState<AdvancedRecord>();
  const [isBusy, setBusy] = useState(false);
  const see = (seen: RecordState): void => {
    setRecord(seen);
    onState(seen);
  };
  useEffect(() => {
    ask("state", { id }).then(see, setFailure);
  }, [id]);
  const advance = async (to?: string): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const move = (taken: AdvancedRecord): void => {
      setStep(taken);
      see(taken);
    };
    await ask("advance", { id, ...(to !== undefined && { to }) }).then(move, setFailure);
    setBusy(false);
  };
  return { record, failure, step, isBusy, advance };
}
