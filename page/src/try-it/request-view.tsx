import { CodeBlock } from "../parts/code-block.tsx";
import { Notice } from "../parts/notice.tsx";
import { curlText } from "./curl-text.ts";
import type { Credential, PreparedRequest } from "./prepare-request.ts";
import { SignedTextView } from "./signed-text-view.tsx";
import styles from "./try-it.module.css";

interface RequestViewProps {
  readonly request: PreparedRequest;
  readonly credential: Credential;
  readonly isOpen: boolean;
}

/** The request as it will be sent: what is signed, its headers, and a curl line that sends the same. */
export function RequestView({ request, credential, isOpen }: RequestViewProps) {
  const { signed } = request;
  return (
    <details class={styles.folded} open={isOpen}>
      <summary>The request: {signed !== undefined && "signed text, "}headers, curl</summary>
      {credential.kind === "certificate" && (
        <Notice tone="info">
          A page cannot choose the client certificate of a request, so this one is for your terminal.
        </Notice>
      )}
      {signed !== undefined && <SignedTextView signed={signed} />}
      <CodeBlock label="As it is sent" text={messageOf(request)} />
      <CodeBlock label="curl line" text={curlText(request, credential)} />
      {signed !== undefined && (
        <p class="note">
          A signature lives for some seconds: the one shown here is made anew before it expires.
        </p>
      )}
    </details>
  );
}

/** The request line and the headers, as HTTP/1.1 writes them. */
const messageOf = ({ url, headers }: PreparedRequest): string =>
  [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join("\n");
