import { useEffect, useRef, useState } from "preact/hooks";
import { resetWords } from "../../../local/reset/reset-words.ts";
import { AskError, ask } from "../api/ask.ts";
import { FailureNotice } from "../api/failure-notice.tsx";
import { refreshSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Notice, type Tone } from "../parts/notice.tsx";
import styles from "./overview.module.css";

interface Outcome {
  readonly tone: Tone;
  readonly text: string;
}

/** The address that leads to the reset itself. */
export const RESET_ADDRESS = "#/?reset";

const RUNNING: Outcome = { tone: "info", text: "The demo's records are being put back …" };

/** Puts the demo back as it was after a first start, once the visitor has agreed, while everything goes on to answer. */
export function ResetDemo() {
  const dialog = useRef<HTMLDialogElement>(null);
  const section = useRef<HTMLElement>(null);
  const [outcome, setOutcome] = useState<Outcome | AskError>();
  useEffect(() => {
    if (location.hash === RESET_ADDRESS) section.current?.querySelector("button")?.focus();
  }, []);
  const reset = async (): Promise<void> => {
    dialog.current?.close();
    setOutcome(RUNNING);
    try {
      await ask("reset", {});
      await refreshSession();
      setOutcome({ tone: "good", text: resetWords.done });
    } catch (error) {
      setOutcome(error as AskError);
    }
  };
  return (
    <section aria-labelledby="reset-demo" ref={section}>
      <h2 id="reset-demo">Reset the demo</h2>
      <p>
        Makes everything as it was after a first start.{" "}
        <Button kind="danger" onClick={() => dialog.current?.showModal()} isDisabled={outcome === RUNNING}>
          Reset the demo …
        </Button>
      </p>
      <dialog ref={dialog} class={`panel ${styles.dialog}`} aria-labelledby="reset-question">
        <h2 id="reset-question">Reset the demo?</h2>
        <ul>
          <li>
            <strong>{resetWords.goes}</strong>
          </li>
          <li>{resetWords.returns}</li>
          <li>{resetWords.stays}</li>
        </ul>
        <p class={`buttons ${styles.choices}`}>
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button kind="danger" onClick={() => void reset()}>
            Reset the demo
          </Button>
        </p>
      </dialog>
      {outcome instanceof AskError ? (
        <FailureNotice failure={outcome} />
      ) : (
        outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>
      )}
    </section>
  );
}
