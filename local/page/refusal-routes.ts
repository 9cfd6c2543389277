import * as z from "zod/mini";
import { CredentialStore } from "../../lib/auth/credential-store.ts";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { ownMember } from "../../lib/own-member.ts";
import { defaultFreshness } from "../../lib/signature/settings.ts";
import { type ServedRoute, serveRoute } from "../control/control-route.ts";
import { adviceFor } from "../history/advice.ts";
import { explainSignature } from "../signing/explain-signature.ts";
import { findRegisteredKey } from "../signing/registered-key.ts";

/** The question why a signed request of the exchange was refused. */
const explainSignatureRoute = {
  name: "explain-signature",
  input: z.object({
    url: z.string(),
    /** The headers as they were sent. */
    headers: z.record(z.string(), z.string()),
    /** When the server judged the request, in epoch milliseconds. */
    judgedAt: z.number(),
  }),
  output: z.object({
    /** The faults of the request, in the order in which to mend them. */
    findings: z.array(z.string()),
  }),
};

/** The question what to do about an answer. */
const adviceRoute = {
  name: "advice",
  input: z.object({
    status: z.number(),
    /** Absent for an answer of the gateway's own. */
    code: z.optional(z.string()),
  }),
  output: z.object({ advice: z.string() }),
};

interface RefusalParts {
  /** The table of credentials. */
  readonly credentials: Table;
  readonly brand: Pick<Brand, "headerPrefix" | "basePath">;
  readonly clock: Clock;
}

/**
 * The questions about a refused request: what to do, in the words of `npm run ops -- explain`, and what is wrong with its
 * signature, by the reasoning of `npm run ops -- sign --explain`.
 */
export const refusalRoutes = (parts: RefusalParts): readonly ServedRoute[] => [
  serveRoute(adviceRoute, async ({ status, code }) => ({
    advice: await adviceFor({ status, ...(code !== undefined && { code }) }),
  })),
  signatureExplanations(parts),
];

function signatureExplanations({ credentials, brand, clock }: RefusalParts): ServedRoute {
  const store = new CredentialStore(credentials, clock);
  const apiKeyName = `${brand.headerPrefix}API-Key`;
  return serveRoute(explainSignatureRoute, async ({ url, headers, judgedAt }) => {
    const { keys, findings } = await findRegisteredKey(store, ownMember(headers, apiKeyName) ?? "", judgedAt);
    // A template that is served here has the limits that every stage has by default.
    const parts = { brand, freshness: defaultFreshness, publicKeys: keys, judgedAt };
    const request = { method: "GET", url, headers, hasBody: false };
    return { findings: [...findings, ...explainSignature(request, parts)] };
  });
}
