import { useState } from "preact/hooks";
import { type SessionEndpoint, useSession } from "../api/session.tsx";
import { AnswerView } from "./answer-view.tsx";
import { type FormValues, valuesAt } from "./form-values.ts";
import { RequestForm } from "./request-form.tsx";
import { RequestView } from "./request-view.tsx";
import { type Outcome, sendPrepared } from "./send-prepared.ts";
import styles from "./try-it.module.css";
import { useForm } from "./use-form.ts";
import { makeRequest, useRequest } from "./use-request.ts";

interface EndpointTrialProps {
  readonly endpoint: SessionEndpoint;
  /** What the address fills the form with, such as `order_id=x`. */
  readonly query?: string;
}

/** The form of one endpoint, the request that it stands for, and the answer to the last one that was sent. */
export function EndpointTrial({ endpoint, query }: EndpointTrialProps) {
  const { basePath } = useSession().brand;
  const form = useForm(endpoint, query);
  const shown = useRequest(endpoint, form, basePath);
  const [outcome, setOutcome] = useState<Outcome>();
  const [isSending, setSending] = useState(false);

  const submit = async (values: FormValues): Promise<void> => {
    if (isSending) return;
    setSending(true);
    setOutcome(await sendPrepared(await makeRequest(endpoint, { ...form, values }, basePath)));
    setSending(false);
  };
  const fillAndSend = (values: FormValues): void => {
    form.setValues(values);
    void submit(values);
  };
  const isForProgram = form.credential.kind === "certificate";
  return (
    <>
      <div class={styles.columns}>
        <RequestForm
          endpoint={endpoint}
          form={form}
          isSending={isSending}
          {...(!isForProgram && { onSubmit: () => void submit(form.values) })}
        />
        {shown !== undefined && <RequestView request={shown} credential={form.credential} />}
      </div>
      <AnswerView
        endpoint={endpoint}
        outcome={outcome}
        onNextPage={(url) => fillAndSend(valuesAt(url, endpoint.parameters, form.values))}
        onAgainWith={(changes) => fillAndSend({ ...form.values, ...changes })}
      />
    </>
  );
}
