import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { servicePlatform } from "../api/service-platform.ts";
import type { SessionEndpoint } from "../api/session.tsx";
import { OnPurpose } from "../log/on-purpose.tsx";
import { Button } from "../parts/button.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { ExactJson } from "../parts/exact-json.tsx";
import { laidOut } from "../parts/json-text.ts";
import { Notice } from "../parts/notice.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { useNow } from "../use-live.ts";
import type { FormValues } from "./form-values.ts";
import { type HeaderNote, headerNotes } from "./header-notes.ts";
import { pageAfter } from "./next-page.ts";
import { RefusalView } from "./refusal-view.tsx";
import type { Outcome } from "./send-prepared.ts";
import styles from "./try-it.module.css";

interface AnswerViewProps {
  readonly endpoint: SessionEndpoint;
  /** What came of the last request; undefined before the first one. */
  readonly outcome: Outcome | undefined;
  /** Ends the waiting for an answer; absent while none is awaited. */
  readonly onStop?: () => void;
  readonly onNextPage: (url: URL) => void;
  /** Sends the request again with some of its fields changed. */
  readonly onAgainWith: (changes: FormValues) => void;
  /** What stands below it. */
  readonly children: ComponentChildren;
}

/** The answer to the last request, which is announced when it comes. */
export function AnswerView({ endpoint, outcome, onStop, children, ...actions }: AnswerViewProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const summary = outcome && <Summary outcome={outcome} />;
  const stop = (): void => {
    // The button goes, and the keyboard stays where it was.
    title.current?.focus();
    onStop?.();
  };
  return (
    <section class={styles.answer} aria-labelledby="answer-title">
      <h2 id="answer-title" tabIndex={-1} ref={title}>
        The answer
      </h2>
      <div role="status">
        {onStop === undefined ? (
          (summary ?? <p>Nothing was sent yet.</p>)
        ) : (
          <Waiting onStop={stop}>{summary}</Waiting>
        )}
      </div>
      <OnPurpose by={outcome?.by} />
      {outcome?.kind === "answered" && <Answered endpoint={endpoint} outcome={outcome} {...actions} />}
      {children}
    </section>
  );
}

/** An answer that comes sooner takes the place of the one before at once. */
const WAITING_FROM_MS = 1_000;

interface WaitingProps {
  readonly onStop: () => void;
  /** What came of the request before, which stays a moment. */
  readonly children: ComponentChildren;
}

function Waiting({ onStop, children }: WaitingProps) {
  const now = useNow(() => true);
  const { current: began } = useRef(now);
  if (children !== undefined && now - began < WAITING_FROM_MS) return children;
  return (
    <p class="row">
      <span>
        Waiting for the answer,{" "}
        <span class="figures" role="timer">
          {Math.floor((now - began) / 1_000)} s
        </span>
        {children !== undefined && ". Below is the one before."}
      </span>
      <Button onClick={onStop}>Stop</Button>
    </p>
  );
}

const WORDS = { lost: "No answer", unsendable: "Not sent", stopped: "Stopped" } as const;

/** What came of a request, in a word or a status. */
export const Verdict = ({ outcome }: { readonly outcome: Outcome }) =>
  outcome.kind === "answered" ? (
    <StatusChip status={outcome.answer.status} />
  ) : (
    <strong>{WORDS[outcome.kind]}</strong>
  );

function Summary({ outcome }: { readonly outcome: Outcome }) {
  if (outcome.kind !== "answered")
    return (
      <Notice tone={outcome.kind === "stopped" ? "info" : "bad"} word={WORDS[outcome.kind]}>
        {outcome.reason}
      </Notice>
    );
  const { text, tookMs } = outcome.answer;
  return (
    <p>
      <Verdict outcome={outcome} /> in {tookMs.toFixed(0)} ms, {bytesOf(text)} bytes
    </p>
  );
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

type AnsweredProps = Omit<AnswerViewProps, "outcome" | "onStop" | "children"> & {
  readonly outcome: Extract<Outcome, { kind: "answered" }>;
};

function Answered({ endpoint, outcome, onNextPage, onAgainWith }: AnsweredProps) {
  const { sent, answer } = outcome;
  const headers = new Headers(answer.headers);
  const next = pageAfter(sent.url, { headers, text: answer.text });
  const tag = headers.get("ETag");
  const takesTag = endpoint.parameters.some(({ name }) => name === "If-None-Match");
  return (
    <>
      {answer.status >= 400 && <RefusalView key={answer.headers["apigw-requestid"]} outcome={outcome} />}
      <div class={`row ${styles.row}`}>
        {next !== undefined && <Button onClick={() => onNextPage(next)}>Next page</Button>}
        {takesTag && tag !== null && (
          <Button onClick={() => onAgainWith({ "If-None-Match": tag })}>Ask again with this tag</Button>
        )}
      </div>
      <Body text={answer.text} />
      <AnswerHeaders endpoint={endpoint} outcome={outcome} />
    </>
  );
}

function AnswerHeaders({ endpoint, outcome: { answer } }: Pick<AnsweredProps, "endpoint" | "outcome">) {
  const { retryAfterUnit } = endpoint;
  const headers = new Headers(answer.headers);
  // The hint to a refusal stands among its reasons already.
  const isNews = ({ name }: HeaderNote): boolean => answer.status < 400 || name !== "X-Local-Warning";
  const notes = headerNotes({ headers, retryAfterUnit, now: servicePlatform.now() }).filter(isNews);
  const all = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      {notes.length > 0 && (
        <>
          <h3>Headers to act on</h3>
          <dl class={styles.headers}>
            {notes.map(({ name, value, meaning }) => (
              <div key={name}>
                <dt>
                  <code>
                    {name}: {value}
                  </code>
                </dt>
                <dd class="soft">{meaning}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <details class={styles.folded}>
        <summary>All headers</summary>
        <CodeBlock label="Headers" text={all.join("\n")} />
      </details>
    </>
  );
}

/** The longest body that is coloured: each coloured piece is an element of its own. */
const COLOURED_MAX = 60_000;

function Body({ text }: { readonly text: string }) {
  if (text === "") return <p>The answer has no body.</p>;
  return (
    <div class={styles.body}>
      {text.length > COLOURED_MAX ? (
        <CodeBlock label="Body" text={laidOut(text)} />
      ) : (
        <ExactJson label="Body" text={text} />
      )}
    </div>
  );
}
