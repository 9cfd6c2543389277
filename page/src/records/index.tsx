import { useEffect, useState } from "preact/hooks";
import type { RecordState } from "../../../local/page/page-questions.ts";
import { ask } from "../api/ask.ts";
import { useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { useKept, useRoute } from "../use-route.ts";
import { demoRecordChoices } from "./demo-record-choices.ts";
import { RecordView } from "./record-view.tsx";
import styles from "./records.module.css";

/** Orders, transactions and passes, drawn as what they are, with the steps that they can take. */
export function Records() {
  const { query } = useRoute();
  return <ChosenRecord key={query} asked={new URLSearchParams(query).get("id")} />;
}

/** The record that the address asks for, or the first of the demo, and the choice of another. */
function ChosenRecord({ asked }: { readonly asked: string | null }) {
  const { credentials } = useSession();
  const [states, setStates] = useState<ReadonlyMap<string, string>>(new Map());
  const note = ({ id, state }: RecordState) => setStates((before) => new Map(before).set(id, state));
  const choices = demoRecordChoices(credentials, states);
  const first = choices[0]?.[0] ?? "";
  const [typed, setTyped] = useState(asked ?? first);
  const [id, setId] = useState(asked ?? first);
  useKept("#/records", id === first ? "" : `id=${encodeURIComponent(id)}`);
  const show = (wanted: string): void => {
    setTyped(wanted);
    setId(wanted.trim());
  };
  // Records may have moved on before the screen was opened. One whose state is not told keeps its first title.
  useEffect(() => {
    for (const [known] of choices) ask("state", { id: known }).then(note, () => {});
  }, []);
  return (
    <>
      <h1>Records</h1>
      <p>A record is read through its endpoint. Each step writes a new version of it into the local store.</p>
      <form
        class={styles.choice}
        onSubmit={(event) => {
          event.preventDefault();
          show(typed);
        }}
      >
        <Field
          label="Record of the demo"
          value={choices.some(([known]) => known === id) ? id : ""}
          onInput={(chosen) => chosen !== "" && show(chosen)}
          choices={[["", "another one"], ...choices]}
        />
        <Field label="Or any id, or reference of a pass" value={typed} onInput={setTyped} isCode isRequired />
        <Button type="submit">Show</Button>
      </form>
      {id !== "" && <RecordView key={id} id={id} onState={note} />}
    </>
  );
}
