import { useState } from "preact/hooks";
import { curlLine } from "../../../local/signing/curl-line.ts";
import { WhileThere } from "../api/failure-notice.tsx";
import { useSession } from "../api/session.tsx";
import { OnPurpose } from "../log/on-purpose.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { ExactJson } from "../parts/exact-json.tsx";
import { Notice } from "../parts/notice.tsx";
import { sendPrepared } from "../try-it/send-prepared.ts";
import { useFound } from "../use-live.ts";
import styles from "./overview.module.css";

/** The address, a credential, and a request with the answer that it gets now: what a first program needs. */
export function FirstRequest() {
  const { baseUrl, credentials, commands } = useSession();
  const { apiKey, orderId } = credentials.ramp;
  const url = `${baseUrl}/sell-orders/${encodeURIComponent(orderId)}`;
  const headers = { "X-API-KEY": apiKey };
  const [timesCleared, setTimesCleared] = useState(0);
  // A reset brings a new session, and it is asked again, as after the fault that it met.
  const outcome = useFound(
    (signal) => sendPrepared({ url: new URL(url), headers }, signal),
    [url, credentials, timesCleared],
  );
  return (
    <section class={styles.first} aria-labelledby="first-request">
      <h2 id="first-request">Your first request</h2>
      <CodeBlock label="Base address" text={baseUrl} />
      <CodeBlock label="Credential of the ramp, for X-API-KEY" text={apiKey} />
      <CodeBlock label="Request, for a terminal" text={curlLine("GET", url, headers)} />
      {outcome === undefined && <p role="status">The request is being sent …</p>}
      {outcome?.kind === "answered" && (
        <ExactJson label={`Its answer just now: ${outcome.answer.status}`} text={outcome.answer.text} />
      )}
      {outcome?.kind === "lost" && (
        <WhileThere>
          <Notice tone="bad" word="No answer">
            {outcome.reason}
          </Notice>
        </WhileThere>
      )}
      <OnPurpose by={outcome?.by} onClear={() => setTimesCleared(timesCleared + 1)} />
      <p>
        Change it in <a href="#/try/get-sell-order">Try it</a>. <code>{commands.ops} demo curl</code> prints a
        line like it for every endpoint and credential.
      </p>
    </section>
  );
}
