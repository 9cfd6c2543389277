import { useState } from "preact/hooks";
import { useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { complaintOf, type FaultForm, type FaultOrder, orderOf } from "./fault-order.ts";

const NUMBERS = [
  ["times", "Times", "How many requests meet it. Left empty: all."],
  ["oneIn", "One in", "Of so many requests one meets it. Left empty: each does."],
  ["forS", "For seconds", "How long it is on. Left empty: until it is cleared."],
] as const;

/** A form that sets a fault. */
export function FaultFormView({ onSet }: { readonly onSet: (order: FaultOrder) => void }) {
  const { endpoints, faultKinds } = useSession();
  const [form, setForm] = useState<FaultForm>({
    route: endpoints[0]?.name ?? "all",
    fault: faultKinds[0]?.name ?? "",
    times: "",
    oneIn: "",
    forS: "",
  });
  const change = (name: keyof FaultForm) => (value: string) => setForm({ ...form, [name]: value });
  const submit = (event: Event): void => {
    event.preventDefault();
    if (NUMBERS.every(([name]) => complaintOf(form[name]) === undefined)) onSet(orderOf(form));
  };
  const effect = faultKinds.find(({ name }) => name === form.fault)?.effect;
  return (
    <form class="fields" onSubmit={submit} aria-label="Set a fault">
      <Field
        label="Of the endpoint"
        value={form.route}
        onInput={change("route")}
        choices={[...endpoints.map(({ name }) => [name, name] as const), ["all", "Every endpoint"]]}
      />
      <Field
        label="Fault"
        value={form.fault}
        onInput={change("fault")}
        choices={faultKinds.map(({ name, effect: told }) => [name, `${name}: ${told}`])}
        hint={effect && `The endpoint ${effect}.`}
      />
      {NUMBERS.map(([name, label, hint]) => (
        <Field
          key={name}
          label={label}
          value={form[name]}
          onInput={change(name)}
          hint={hint}
          complaint={complaintOf(form[name])}
        />
      ))}
      <Button kind="main" type="submit">
        Set the fault
      </Button>
    </form>
  );
}
