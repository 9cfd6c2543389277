import { randomId } from "../../../client/src/platform.ts";
import type { RecordState, Session } from "../../../local/page/page-questions.ts";
import { servicePlatform } from "../api/service-platform.ts";
import { unbroken } from "../try-it/breakages.ts";
import { credentialChoices } from "../try-it/credential-choices.ts";
import { initialValues } from "../try-it/demo-values.ts";
import { headersOf, targetOf } from "../try-it/form-values.ts";
import { prepareRequest } from "../try-it/prepare-request.ts";
import { type Outcome, sendPrepared } from "../try-it/send-prepared.ts";

/** The endpoint that answers each kind of record. */
const ENDPOINTS: Readonly<Record<RecordState["kind"], string>> = {
  "sell order": "get-sell-order",
  transaction: "get-transaction",
  pass: "get-pass",
};

/** Names of the credentials of owners, of which one may see a record. */
const OWNERS = ["good", "other"];

/** Reads a record through its endpoint as its owner: the demo's second owner asks when the first one sees no such record. */
export async function readRecord(
  { kind, id }: Pick<RecordState, "kind" | "id">,
  { endpoints, credentials, brand }: Session,
  headers: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const endpoint = endpoints.find(({ name }) => name === ENDPOINTS[kind]);
  if (endpoint === undefined) throw new Error(`No endpoint answers a ${kind}.`);
  const idName = endpoint.parameters.find((parameter) => parameter.in === "path")?.name ?? "";
  const values = { ...initialValues(endpoint, { credentials, nowMs: servicePlatform.now() }), [idName]: id };
  const owners = credentialChoices(endpoint, credentials).filter(({ name }) => OWNERS.includes(name));
  const url = new URL(`${brand.basePath}${targetOf(endpoint, values)}`, location.origin);
  let outcome: Outcome | undefined;
  for (const { credential } of owners) {
    const parts = { url, breakage: unbroken, now: servicePlatform.now(), jti: randomId() };
    const given = { ...headersOf(endpoint.parameters, values), ...headers };
    outcome = await sendPrepared(await prepareRequest(credential, { ...parts, headers: given }));
    if (outcome.kind !== "answered" || outcome.answer.status !== 404) return outcome;
  }
  if (outcome === undefined) throw new Error(`The demo has no credential for a ${kind}.`);
  return outcome;
}
