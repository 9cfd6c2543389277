import { useState } from "preact/hooks";
import { type SessionEndpoint, useSession } from "../api/session.tsx";
import { AnswerView, Verdict } from "./answer-view.tsx";
import { type FormValues, valuesAt } from "./form-values.ts";
import { RequestForm } from "./request-form.tsx";
import { RequestView } from "./request-view.tsx";
import { type Outcome, sendPrepared } from "./send-prepared.ts";
import styles from "./try-it.module.css";
import { useForm } from "./use-form.ts";
import { makeRequest, useRequest } from "./use-request.ts";

/** The form of one endpoint, and beside it the answer to the last request, with the request that the form stands for. */
export function EndpointTrial({ endpoint }: { readonly endpoint: SessionEndpoint }) {
  const { basePath } = useSession().brand;
  const form = useForm(endpoint);
  const shown = useRequest(endpoint, form, basePath);
  const [outcome, setOutcome] = useState<Outcome>();
  const [sending, setSending] = useState<AbortController>();

  const submit = async (values: FormValues): Promise<void> => {
    if (sending !== undefined) return;
    const stopping = new AbortController();
    setSending(stopping);
    const made = await makeRequest(endpoint, { ...form, values }, basePath);
    setOutcome(await sendPrepared(made, stopping.signal));
    setSending(undefined);
  };
  const fillAndSend = (values: FormValues): void => {
    form.setValues(values);
    void submit(values);
  };
  const isForProgram = form.credential.kind === "certificate";
  return (
    <div class={`columns ${styles.columns}`}>
      <RequestForm
        endpoint={endpoint}
        form={form}
        isSending={sending !== undefined}
        onEmpty={() => setOutcome({ kind: "unsendable", reason: "A field that is required is empty." })}
        {...(!isForProgram && { onSubmit: () => void submit(form.values) })}
      >
        {(outcome ?? sending) !== undefined && (
          <span class={`row ${styles.leap}`}>
            <a href="#answer-title">See the answer</a>
            {outcome !== undefined && <Verdict outcome={outcome} />}
          </span>
        )}
      </RequestForm>
      <AnswerView
        endpoint={endpoint}
        outcome={outcome}
        {...(sending !== undefined && { onStop: () => sending.abort() })}
        onNextPage={(url) => fillAndSend(valuesAt(url, endpoint.parameters, form.values))}
        onAgainWith={(changes) => fillAndSend({ ...form.values, ...changes })}
      >
        {shown !== undefined && (
          <RequestView
            request={shown}
            credential={form.credential}
            isOpen={outcome === undefined || isForProgram}
          />
        )}
      </AnswerView>
    </div>
  );
}
