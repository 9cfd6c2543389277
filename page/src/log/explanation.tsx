import type { ComponentChildren } from "preact";
import type { Explanation } from "../../../local/history/explain-route.ts";
import type { LogEvent } from "../../../local/page/page-questions.ts";
import { AskError, ask } from "../api/ask.ts";
import { FailureNotice } from "../api/failure-notice.tsx";
import { Table } from "../parts/table.tsx";
import { Checks } from "../try-it/refusal-view.tsx";
import { useFound } from "../use-live.ts";
import styles from "./log.module.css";
import { OnPurpose } from "./on-purpose.tsx";

/** What the server remembers of a request: the checks it passed, which one refused it and why, and what it read. */
export function RequestExplanation({ event }: { readonly event: LogEvent }) {
  const { requestId, hints } = event;
  const found = useFound(
    (signal) => ask("explain", { id: requestId }, signal).catch((failure: AskError) => failure),
    [requestId],
  );
  if (found instanceof AskError) return <FailureNotice failure={found} />;
  if (found === undefined) return <p role="status">Looking it up …</p>;
  return (
    <>
      {found.explanation === undefined ? (
        <p>The server does not remember this request any more.</p>
      ) : (
        <Explained explanation={found.explanation} />
      )}
      {hints.length > 0 && (
        <>
          <h3>Hints</h3>
          <ul>
            {hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Explained({ explanation }: { readonly explanation: Explanation }) {
  const { message } = explanation;
  return (
    <>
      {message !== undefined && <p>{message}</p>}
      <OnPurpose by={explanation} />
      <h3>Checks</h3>
      <Checks explanation={explanation} />
      <Facts explanation={explanation} />
      <Calls explanation={explanation} />
    </>
  );
}

function Facts({ explanation }: { readonly explanation: Explanation }) {
  const { receivedAt, requestId, clientRequestId, errorId, owner, presented, parameters } = explanation;
  const { tokensCharged, tokensLeft } = explanation;
  const facts: readonly (readonly [name: string, value: ComponentChildren])[] = [
    ["received", receivedAt],
    ["apigw-requestid", requestId],
    ["Request-Id", clientRequestId],
    ["error_id", errorId],
    ["owner", owner],
    ...presented.map(({ kind, names }) => [kind, pairsText(names)] as const),
    ["parameters", parameters && pairsText(parameters)],
    ["tokens charged", tokensCharged === 0 ? undefined : String(tokensCharged)],
    ["RateLimit", tokensLeft],
  ];
  return (
    <dl class={styles.known}>
      {facts
        .filter(([, value]) => value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt class="note">{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
    </dl>
  );
}

const pairsText = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

function Calls({ explanation: { calls } }: { readonly explanation: Explanation }) {
  if (calls.length === 0) return null;
  return (
    <Table
      caption="Calls of the store"
      head={["Operation", "Table", "Key", "Units", "Time", "Failure"]}
      figures={[3, 4]}
      rows={calls.map(({ operation, table, index, key, readUnits, writeUnits, durationMs, failure }) => [
        operation,
        index === undefined ? table : `${table}, ${index}`,
        <code key="key">{key}</code>,
        readUnits + writeUnits,
        `${durationMs.toFixed(1)} ms`,
        failure ?? "",
      ])}
    />
  );
}
