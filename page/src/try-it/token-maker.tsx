import { useState } from "preact/hooks";
import { type AskError, ask } from "../api/ask.ts";
import { FailureNotice } from "../api/failure-notice.tsx";
import { type SessionEndpoint, useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { holderOf } from "./credential-choices.ts";

interface TokenMakerProps {
  readonly endpoint: SessionEndpoint;
  readonly onToken: (token: string) => void;
}

const WHOLE_NUMBER = /^-?\d{1,9}$/;

/** Signs another access token, right or wrong as it is wanted, and puts it into the form. */
export function TokenMaker({ endpoint, onToken }: TokenMakerProps) {
  const { passes, business } = useSession().credentials;
  const holder = holderOf(endpoint);
  const [scope, setScope] = useState(endpoint.scope ?? "");
  const [audience, setAudience] = useState((holder === "wallet" ? passes : business).audience);
  const [expiresInS, setExpiresInS] = useState("-60");
  const [failure, setFailure] = useState<AskError>();
  const isNumber = WHOLE_NUMBER.test(expiresInS);
  const sign = (): void => {
    setFailure(undefined);
    ask("token", { for: holder, scope, audience, expiresInS: Number(expiresInS) }).then(
      ({ token }) => onToken(token),
      setFailure,
    );
  };
  return (
    <>
      <h3>Sign another token</h3>
      <Field label="scope" value={scope} onInput={setScope} isCode />
      <Field label="aud" value={audience} onInput={setAudience} isCode />
      <Field
        label="Seconds until it expires"
        hint="A negative number makes one that has expired."
        value={expiresInS}
        onInput={setExpiresInS}
        isCode
        complaint={isNumber ? undefined : "Give a whole number of seconds."}
      />
      <Button isDisabled={!isNumber} onClick={sign}>
        Sign it
      </Button>
      <FailureNotice failure={failure} />
    </>
  );
}
