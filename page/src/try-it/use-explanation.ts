import { useEffect, useState } from "preact/hooks";
import type { Explanation } from "../../../local/history/explain-route.ts";
import { ask } from "../api/ask.ts";
import type { Answer } from "../api/send.ts";
import { errorBodyOf } from "./error-body.ts";
import type { PreparedRequest } from "./prepare-request.ts";

/** What the local server knows of a refusal. */
export interface KnownRefusal {
  /** Absent when the server does not remember the answer. */
  readonly explanation?: Explanation;
  /** What to do; empty when the server does not say it. */
  readonly advice: string;
  /** What is wrong with the signature, in the order in which to mend it. Empty for a request without one. */
  readonly findings: readonly string[];
}

/** Asks the local server why an answer refuses its request; undefined until it has said so. */
export function useExplanation(sent: PreparedRequest, answer: Answer): KnownRefusal | undefined {
  const [known, setKnown] = useState<KnownRefusal>();
  useEffect(() => {
    let isOver = false;
    void refusalOf(sent, answer).then((found) => isOver || setKnown(found));
    return () => {
      isOver = true;
    };
  }, [sent, answer]);
  return known;
}

/** A server that does not explain leaves the answer as it is, so a failure of these questions is not shown. */
async function refusalOf(sent: PreparedRequest, answer: Answer): Promise<KnownRefusal> {
  const { headers, status, text } = answer;
  const { code, timestamp: judgedAt = 0 } = errorBodyOf(text);
  const [{ explanation }, { advice }, { findings }] = await Promise.all([
    ask("explain", { id: headers["apigw-requestid"] ?? "" }).catch(() => ({ explanation: undefined })),
    ask("advice", { status, ...(code !== undefined && { code }) }).catch(() => ({ advice: "" })),
    isAboutSignature(sent, answer)
      ? ask("explain-signature", { url: sent.url.href, headers: sent.headers, judgedAt }).catch(() => none)
      : none,
  ]);
  return { advice, findings, ...(explanation !== undefined && { explanation }) };
}

const none = { findings: [] };

/** A signature of the exchange was refused, or its time was. A detached JWS is explained by the log alone. */
const isAboutSignature = ({ signed }: PreparedRequest, { status }: Answer): boolean =>
  signed !== undefined && signed.protectedHeader === undefined && (status === 401 || status === 409);
