import { useState } from "preact/hooks";
import { type AskError, ask } from "../api/ask.ts";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { Notice } from "../parts/notice.tsx";
import styles from "./try-it.module.css";

interface TokenMakerProps {
  readonly holder: "business" | "wallet";
  /** The scope and the audience that the endpoint takes. */
  readonly scope: string;
  readonly audience: string;
  readonly onToken: (token: string) => void;
}

const WHOLE_NUMBER = /^-?\d{1,9}$/;

/** Signs another access token, right or wrong as it is wanted, and puts it into the form. */
export function TokenMaker({ holder, onToken, ...own }: TokenMakerProps) {
  const [scope, setScope] = useState(own.scope);
  const [audience, setAudience] = useState(own.audience);
  const [expiresInS, setExpiresInS] = useState("-60");
  const [failure, setFailure] = useState<string>();
  const isNumber = WHOLE_NUMBER.test(expiresInS);
  const sign = (): void => {
    setFailure(undefined);
    ask("token", { for: holder, scope, audience, expiresInS: Number(expiresInS) }).then(
      ({ token }) => onToken(token),
      (error: AskError) => setFailure(error.message),
    );
  };
  return (
    <details class={styles.maker}>
      <summary>Sign another token</summary>
      <Field label="scope" value={scope} onInput={setScope} isCode />
      <Field label="aud" value={audience} onInput={setAudience} isCode />
      <Field
        label="Seconds until it expires"
        hint="A negative number makes one that has expired."
        value={expiresInS}
        onInput={setExpiresInS}
        isCode
        {...(!isNumber && { complaint: "Give a whole number of seconds." })}
      />
      <Button isDisabled={!isNumber} onClick={sign}>
        Sign it
      </Button>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
    </details>
  );
}
