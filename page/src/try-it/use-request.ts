import { useEffect, useState } from "preact/hooks";
import { randomId, thisPlatform } from "../../../client/src/platform.ts";
import type { SessionEndpoint } from "../api/session.tsx";
import { headersOf, targetOf } from "./form-values.ts";
import { type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import type { Form } from "./use-form.ts";

/** A shown signature is made anew before it expires, so that its curl line works whenever it is copied. */
const ANEW_MS = 20_000;

/** What of a form makes its request. */
export type FormContent = Pick<Form, "values" | "more" | "credential" | "breakage">;

/** The address that a form stands for: on this page's origin, or on that of a client certificate. */
function addressOf(endpoint: SessionEndpoint, content: FormContent, basePath: string): string {
  const { values, more, credential } = content;
  const base = credential.kind === "certificate" ? credential.url : `${location.origin}${basePath}`;
  return `${base}${targetOf(endpoint, values, more)}`;
}

/**
 * The request that a form stands for, signed at this moment.
 *
 * @param basePath what stands before every route.
 */
export const makeRequest = (
  endpoint: SessionEndpoint,
  content: FormContent,
  basePath: string,
): Promise<PreparedRequest> =>
  prepareRequest(content.credential, {
    url: new URL(addressOf(endpoint, content, basePath)),
    headers: headersOf(endpoint.parameters, content.values),
    breakage: content.breakage,
    now: thisPlatform.now(),
    jti: randomId(),
  });

/** The request that a form stands for, to be shown; undefined until it is signed for the first time. */
export function useRequest(
  endpoint: SessionEndpoint,
  content: FormContent,
  basePath: string,
): PreparedRequest | undefined {
  const [shown, setShown] = useState<PreparedRequest>();
  const what = JSON.stringify([
    endpoint.name,
    content.values,
    content.more,
    content.credential,
    content.breakage,
  ]);
  // `what` names all that the request is made of.
  useEffect(() => {
    let isOver = false;
    const show = (): void =>
      void makeRequest(endpoint, content, basePath).then((made) => isOver || setShown(made));
    show();
    const timer = setInterval(show, ANEW_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [what]);
  return shown;
}
