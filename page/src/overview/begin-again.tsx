import { useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { useRefreshSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Notice, type Tone } from "../parts/notice.tsx";

interface Outcome {
  readonly tone: Tone;
  readonly text: string;
}

const RUNNING: Outcome = { tone: "info", text: "The store is being put back …" };

/** Puts the store back as it was after a first start, while everything goes on to answer. */
export function BeginAgain() {
  const refresh = useRefreshSession();
  const [outcome, setOutcome] = useState<Outcome>();
  const begin = async (): Promise<void> => {
    setOutcome(RUNNING);
    try {
      const { written, deleted, tookMs } = await ask("reset", {});
      await refresh();
      setOutcome({
        tone: "good",
        text: `${counted(written)} written, ${deleted.toLocaleString("en")} deleted, in ${tookMs} ms.`,
      });
    } catch (error) {
      setOutcome({ tone: "bad", text: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <section aria-labelledby="begin-again">
      <h2 id="begin-again">Begin again</h2>
      <p>
        Orders, transactions, passes and trades become those of a first start, and faults end. Credentials and
        limits stay.
      </p>
      <p>
        <Button onClick={() => void begin()} isDisabled={outcome === RUNNING}>
          Put the store back
        </Button>
      </p>
      {outcome !== undefined && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
    </section>
  );
}

const counted = (rows: number): string => (rows === 1 ? "1 row" : `${rows.toLocaleString("en")} rows`);
