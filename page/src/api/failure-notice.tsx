import type { ComponentChildren } from "preact";
import { Notice } from "../parts/notice.tsx";
import { useLive } from "../use-live.ts";
import { type AskError, service } from "./ask.ts";

interface FailureNoticeProps {
  readonly failure: AskError | undefined;
  /** The word for a refusal. */
  readonly refusal?: string;
}

/** Says why a question was refused or failed; nothing of a service that is gone, which the header tells. */
export function FailureNotice({ failure, refusal = "Refused" }: FailureNoticeProps) {
  if (failure?.kind !== "refused" && failure?.kind !== "failed") return null;
  return (
    <Notice tone="bad" word={failure.kind === "refused" ? refusal : "Failed"}>
      {failure.message}
    </Notice>
  );
}

interface TroubleProps {
  readonly word: string;
  readonly text: string | undefined;
}

/** Says what failed, if anything did; nothing of a service that is gone. */
export const Trouble = ({ word, text }: TroubleProps) => (
  <WhileThere>
    {text !== undefined && (
      <Notice tone="bad" word={word}>
        {text}
      </Notice>
    )}
  </WhileThere>
);

/** What is shown only as long as the header does not say that the service is gone. */
export const WhileThere = ({ children }: { readonly children: ComponentChildren }) =>
  useLive(service) === "answers" ? children : null;
