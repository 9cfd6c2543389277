import { useState } from "preact/hooks";
import { type AskError, ask } from "./api/ask.ts";
import { aheadMs } from "./api/service-platform.ts";
import styles from "./app.module.css";
import { Button } from "./parts/button.tsx";
import { Field } from "./parts/field.tsx";
import { useLive, useNow } from "./use-live.ts";

/** Shows the service's time in the header where it is not the machine's, and moves it on. */
export function ServiceTime() {
  const isMoved = useLive(aheadMs) > 0;
  const now = useNow(() => isMoved);
  const [to, setTo] = useState("");
  const [complaint, setComplaint] = useState<string>();
  const move = async (): Promise<void> => {
    aheadMs.set((await ask("time", { to })).aheadMs);
    setComplaint(undefined);
  };
  return (
    <details class={styles.time}>
      <summary>
        Time: {isMoved ? `${new Date(now).toISOString().slice(0, "yyyy-mm-ddThh:mm".length)}Z` : "now"}
      </summary>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          move().catch(({ message }: AskError) => setComplaint(message));
        }}
      >
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
