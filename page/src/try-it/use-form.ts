import { useState } from "preact/hooks";
import { servicePlatform } from "../api/service-platform.ts";
import { type SessionEndpoint, useSession } from "../api/session.tsx";
import { useKept, useRoute } from "../use-route.ts";
import { breakagesOf, unbroken } from "./breakages.ts";
import { credentialChoices } from "./credential-choices.ts";
import { initialValues } from "./demo-values.ts";
import { linkedForm, linkOf } from "./form-values.ts";
import { withSecret } from "./prepare-request.ts";

/** The form of an endpoint: what stands in it, and how it is changed. */
export type Form = ReturnType<typeof useForm>;

/** The form of an endpoint, filled as the address asks, or with the demo's values. */
export function useForm(endpoint: SessionEndpoint) {
  const { query } = useRoute();
  const { credentials } = useSession();
  const [begun] = useState(() => {
    const demo = initialValues(endpoint, { credentials, nowMs: servicePlatform.now() });
    const asked =
      query === undefined ? { values: demo, more: "" } : linkedForm(query, endpoint.parameters, demo);
    return { demo, ...asked };
  });
  const [values, setValues] = useState(begun.values);
  const [more, setMore] = useState(begun.more);
  const [choice, setChoice] = useState("good");
  const [typed, setTyped] = useState<string>();
  const [broken, setBroken] = useState(unbroken.name);
  useKept(`#/try/${endpoint.name}`, linkOf({ values, more }, begun.demo));
  const choices = credentialChoices(endpoint, credentials);
  const chosen = choices.find(({ name }) => name === choice)?.credential ?? { kind: "none" as const };
  const breakages = breakagesOf(chosen.kind);
  const choose = (name: string): void => {
    setChoice(name);
    setTyped(undefined);
  };
  return {
    values,
    /** Query parameters beside the endpoint's own, as they are sent. */
    more,
    choices,
    choice,
    /** The chosen credential, with the token or key that was typed in its place. */
    credential: typed === undefined ? chosen : withSecret(chosen, typed),
    isTyped: typed !== undefined,
    breakages,
    breakage: breakages.find(({ name }) => name === broken) ?? unbroken,
    setValues,
    setMore,
    choose,
    /** Replaces the credential's token or key. */
    type: setTyped,
    breakBy: setBroken,
  };
}
