import { useEffect, useState } from "preact/hooks";
import type { AdvancedRecord, RecordState } from "../../../local/page/page-questions.ts";
import { type AskError, ask } from "../api/ask.ts";

/** What shows a record that is there. */
export interface RecordProps {
  readonly record: RecordState;
  readonly shown: ReturnType<typeof useRecord>;
}

/** The state of a record, once the server has said it, and the way to move it on; `failure` is of the last question. */
export function useRecord(id: string, onState: (record: RecordState) => void) {
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
