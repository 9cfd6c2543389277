import { useEffect, useState } from "preact/hooks";
import { randomId } from "../../../client/src/platform.ts";
import { servicePlatform } from "../api/service-platform.ts";
import type { SessionEndpoint } from "../api/session.tsx";
import { headersOf, targetOf } from "./form-values.ts";
import { type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import type { Form } from "./use-form.ts";

/** A shown signature is made anew before it expires, so that its curl line works whenever it is copied. */
const ANEW_MS = 20_000;

/** What of a form makes its request. */
export type FormContent = Pick<Form, "values" | "more" | "credential" | "breakage">;

/** The request that a form stands for, signed at this moment; to this page's origin, or to that of a client certificate. */
export function makeRequest(
  endpoint: SessionEndpoint,
  { values, more, credential, breakage }: FormContent,
  basePath: string,
): Promise<PreparedRequest> {
  const base = credential.kind === "certificate" ? credential.url : `${location.origin}${basePath}`;
  const url = new URL(`${base}${targetOf(endpoint, values, more)}`);
  const headers = headersOf(endpoint.parameters, values);
  return prepareRequest(credential, { url, headers, breakage, now: servicePlatform.now(), jti: randomId() });
}

/** The request that a form stands for, to be shown; undefined until it is signed for the first time. */
export function useRequest(endpoint: SessionEndpoint, content: FormContent, basePath: string) {
  const [shown, setShown] = useState<PreparedRequest>();
  const { values, more, credential, breakage } = content;
  // It names all that the request is made of.
  const what = JSON.stringify([endpoint.name, values, more, credential, breakage]);
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
