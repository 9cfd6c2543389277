import { useRef, useState } from "preact/hooks";
import { resetWords } from "../../../local/reset/reset-words.ts";
import { ask } from "../api/ask.ts";
import { useRefreshSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Notice, type Tone } from "../parts/notice.tsx";
import styles from "./overview.module.css";

interface Outcome {
  readonly tone: Tone;
  readonly text: string;
}

const RUNNING: Outcome = { tone: "info", text: "The demo's records are being put back …" };

/** Puts the demo back as it was after a first start, once the visitor has agreed, while everything goes on to answer. */
export function ResetDemo() {
  const refresh = useRefreshSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const [outcome, setOutcome] = useState<Outcome>();
  const reset = async (): Promise<void> => {
    dialog.current?.close();
    setOutcome(RUNNING);
    try {
      await ask("reset", {});
      await refresh();
      setOutcome({ tone: "good", text: resetWords.done });
    } catch (error) {
      setOutcome({ tone: "bad", text: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <section aria-labelledby="reset-demo">
      <h2 id="reset-demo">Reset the demo</h2>
      <Words />
      <p>
        <Button onClick={() => dialog.current?.showModal()} isDisabled={outcome === RUNNING}>
          Reset the demo …
        </Button>
      </p>
      <dialog ref={dialog} class={styles.dialog} aria-labelledby="reset-question">
        <h2 id="reset-question">Reset the demo?</h2>
        <Words />
        <p class={`buttons ${styles.choices}`}>
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button kind="main" onClick={() => void reset()}>
            Reset the demo
          </Button>
        </p>
      </dialog>
      {outcome !== undefined && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
    </section>
  );
}

const Words = () => (
  <ul>
    <li>
      <strong>{resetWords.goes}</strong>
    </li>
    <li>{resetWords.returns}</li>
    <li>{resetWords.stays}</li>
  </ul>
);
