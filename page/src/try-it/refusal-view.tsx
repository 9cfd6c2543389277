import type { Explanation } from "../../../local/history/explain-route.ts";
import { useFound } from "../use-live.ts";
import { adviceOn } from "./advice.ts";
import { errorBodyOf } from "./error-body.ts";
import type { SignedText } from "./prepare-request.ts";
import { reasonText } from "./reason-text.ts";
import styles from "./refusal-view.module.css";
import type { Outcome } from "./send-prepared.ts";
import { type DifferencePiece, differenceOf } from "./text-difference.ts";

/** Why a request was refused or failed: the check that refused it, what was wrong, and what to do. */
export function RefusalView({ outcome }: { readonly outcome: Extract<Outcome, { kind: "answered" }> }) {
  const { sent, answer, by: explanation } = outcome;
  const known = useFound(() => adviceOn(sent, answer), [sent, answer]);
  const { code, message } = errorBodyOf(answer.text);
  const findings = known?.findings ?? [];
  // What is found in a signature says what to do, and the hint after one names a command that finds the same.
  const toDo = findings.length > 0 ? [] : [known?.advice ?? "", ...(explanation?.hints ?? [])];
  return (
    <section class={`panel ${styles.refusal}`} aria-labelledby="refusal-title" aria-live="polite">
      <h3 id="refusal-title">Why it {answer.status >= 500 ? "failed" : "was refused"}</h3>
      <p>
        {code !== undefined && <code>{code}</code>} {message}
      </p>
      {explanation !== undefined && <Checks explanation={explanation} />}
      {findings.length > 0 && (
        <>
          <h4>What is wrong with the signature</h4>
          <ul>
            {findings.map((finding) => (
              <li key={finding}>{finding}</li>
            ))}
          </ul>
        </>
      )}
      {sent.signed !== undefined && <Difference signed={sent.signed} />}
      {toDo.some((text) => text !== "") && <h4>What to do</h4>}
      {toDo.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </section>
  );
}

/** The checks in their order, as questions. */
const CHECKS: Readonly<Record<Explanation["steps"][number]["step"], string>> = {
  switch: "is the endpoint switched on?",
  credentials: "is the credential valid?",
  scope: "does it have the scope?",
  parameters: "do path and query keep the contract?",
  plan: "do the parameters fit together?",
  limit: "does the owner have tokens left?",
  record: "is the record there, and visible to the owner?",
};

const ANSWERS: Readonly<
  Record<Explanation["steps"][number]["outcome"], readonly [sign: string, word: string]>
> = {
  passed: ["✓", "yes"],
  refused: ["×", "no"],
  "not reached": ["–", "not checked"],
  "not known": ["?", "not known"],
};

/** What a request was checked for, in order, and which check refused it and why. */
export function Checks({ explanation: { steps, reason } }: { readonly explanation: Explanation }) {
  const why = reason === undefined ? "" : `: ${reasonText(reason)}`;
  if (steps.length === 0) return <p>The gateway answered by itself, before any check{why}.</p>;
  return (
    <ol class={`soft ${styles.steps}`} aria-label="Checks, in their order">
      {steps.map(({ step, outcome }) => (
        <li key={step} class={outcome === "refused" ? "bad" : undefined}>
          <span aria-hidden="true">{ANSWERS[outcome][0]}</span>
          <strong>{step}</strong>
          <span>
            {CHECKS[step]} {ANSWERS[outcome][1]}
            {outcome === "refused" && why}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The text that was signed beside the one that had to be, where a request was broken that way. */
function Difference({ signed: { pieces, signed } }: { readonly signed: SignedText }) {
  const right = pieces.map(({ text }) => text).join("");
  if (right === signed) return null;
  const { one, other } = differenceOf(right, signed);
  return (
    <dl class={styles.difference}>
      <dt class="note">had to be signed</dt>
      <dd>
        <MarkedText pieces={one} />
      </dd>
      <dt class="note">was signed</dt>
      <dd>
        <MarkedText pieces={other} />
      </dd>
    </dl>
  );
}

const MarkedText = ({ pieces }: { readonly pieces: readonly DifferencePiece[] }) => (
  <code>
    {pieces.map(({ text, isChanged }, index) =>
      isChanged ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
    )}
  </code>
);
