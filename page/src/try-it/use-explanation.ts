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
  const id = answer.headers["apigw-requestid"] ?? "";
  const [{ explanation }, { findings }] = await Promise.all([
    ask("explain", { id }).catch(() => ({ explanation: undefined })),
    isAboutSignature(sent, answer)
      ? ask("explain-signature", {
          url: sent.url.href,
          headers: sent.headers,
          judgedAt: errorBodyOf(answer.text).timestamp ?? 0,
        }).catch(() => ({ findings: [] }))
      : { findings: [] },
  ]);
  return { findings, ...(explanation !== undefined && { explanation }) };
}

/** A signature of the exchange was refused, or its time was. A detached JWS is explained by the log alone. */
const isAboutSignature = ({ signed }: PreparedRequest, { status }: Answer): boolean =>
  signed !== undefined && signed.protectedHeader === undefined && (status === 401 || status === 409);
