import { curlLine } from "../../../local/signing/curl-line.ts";
import { send } from "../api/send.ts";
import { useSession } from "../api/session.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { ExactJson } from "../parts/exact-json.tsx";
import { Notice } from "../parts/notice.tsx";
import { useFound } from "../use-live.ts";
import styles from "./overview.module.css";

/** The address, a credential, and a request with the answer that it gets now: what a first program needs. */
export function FirstRequest() {
  const { baseUrl, credentials, commands } = useSession();
  const { apiKey, orderId } = credentials.ramp;
  const url = `${baseUrl}/sell-orders/${encodeURIComponent(orderId)}`;
  const headers = { "X-API-KEY": apiKey };
  // A reset brings a new session, and it is asked again.
  const answer = useFound(
    (signal) => send({ target: new URL(url).pathname, headers }, signal),
    [url, credentials],
  );
  return (
    <section class={styles.first} aria-labelledby="first-request">
      <h2 id="first-request">Your first request</h2>
      <CodeBlock label="Base address" text={baseUrl} />
      <CodeBlock label="Credential of the ramp, for X-API-KEY" text={apiKey} />
      <CodeBlock label="Request, for a terminal" text={curlLine("GET", url, headers)} />
      {answer === undefined && <p role="status">The request is being sent …</p>}
      {answer?.kind === "answer" && (
        <ExactJson label={`Its answer just now: ${answer.status}`} text={answer.text} />
      )}
      {answer?.kind === "lost" && <Notice tone="bad">There was no answer.</Notice>}
      <p>
        Change it in <a href="#/try/get-sell-order">Try it</a>. <code>{commands.ops} demo curl</code> prints a
        line like it for every endpoint and credential.
      </p>
    </section>
  );
}
