import { useState } from "preact/hooks";
import { type AskError, ask } from "./api/ask.ts";
import { aheadMs } from "./api/service-platform.ts";
import styles from "./app.module.css";
import { Button } from "./parts/button.tsx";
import { Field } from "./parts/field.tsx";
import { useLive, useNow } from "./use-live.ts";

const STEPS = [
  ["+1h", "+1 hour"],
  ["+1d", "+1 day"],
  ["+30d", "+30 days"],
] as const;

/** Shows the service's time in the header where it is not the machine's, and moves it on. */
export function ServiceTime() {
  const isMoved = useLive(aheadMs) > 0;
  const now = useNow(() => isMoved);
  const [to, setTo] = useState("");
  const [complaint, setComplaint] = useState<string>();
  const move = (wanted: string): Promise<void> =>
    ask("time", { to: wanted })
      .then((told) => aheadMs.set(told.aheadMs))
      .then(
        () => setComplaint(undefined),
        ({ message }: AskError) => setComplaint(message),
      );
  return (
    <details class={styles.time}>
      <summary>
        Time: {isMoved ? `${new Date(now).toISOString().slice(0, "yyyy-mm-ddThh:mm".length)}Z` : "now"}
      </summary>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          void move(to);
        }}
      >
        <p class="buttons">
          {STEPS.map(([step, title]) => (
            <Button key={step} onClick={() => void move(step)}>
              {title}
            </Button>
          ))}
        </p>
        <Field
          label="How far on, or to which instant"
          value={to}
          onInput={setTo}
          complaint={complaint}
          hint="It only moves forward; a reset of the demo brings the machine's time back."
          placeholder="+3d"
        />
        <Button type="submit">Move the time</Button>
      </form>
    </details>
  );
}
