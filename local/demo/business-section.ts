import { transactionStates, transactionTypes } from "../../lib/transactions/transaction-kinds.ts";
import type { Issuer } from "../identity/issuer.ts";
import { claimsOf } from "../identity/local-token.ts";
import type { BusinessSection } from "./demo-file.ts";
import { type DemoRecords, firstOf } from "./demo-records.ts";

const DAY_MS = 86_400_000;

/** The section of the business interface, with new tokens. */
export async function businessSection(
  { business, otherBusiness }: DemoRecords,
  issuer: Pick<Issuer, "mintToken">,
): Promise<BusinessSection> {
  const specimen = (type: string, state: string) =>
    firstOf(business, `${type} that is ${state}`, (found) => found.type === type && found.state === state);
  const shown = firstOf(
    business,
    "completed transfer with a request id",
    ({ type, state, request_id: requestId }) =>
      type === "transfer" && state === "completed" && requestId !== undefined,
  );
  const own = claimsOf({ business: business.ownerId });
  const [token, otherToken, noScopeToken] = await Promise.all([
    issuer.mintToken(own),
    issuer.mintToken(claimsOf({ business: otherBusiness.ownerId })),
    issuer.mintToken({ ...own, scope: "accounts.read" }),
  ]);
  const createdMs = Date.parse(shown.created_at);
  return {
    id: business.ownerId,
    audience: own.audience,
    token,
    otherId: otherBusiness.ownerId,
    otherToken,
    noScopeToken,
    transactionId: shown.id,
    requestId: shown.request_id ?? "",
    requestWindow: { from: isoDateOf(createdMs - DAY_MS), to: isoDateOf(createdMs + 2 * DAY_MS) },
    otherTransactionId: firstOf(otherBusiness, "completed transaction", ({ state }) => state === "completed")
      .id,
    accountId: shown.legs[0].account_id,
    types: Object.fromEntries(transactionTypes.map((type) => [type, specimen(type, "completed").id])),
    states: Object.fromEntries(transactionStates.map((state) => [state, specimen("transfer", state).id])),
  };
}

const isoDateOf = (instantMs: number): string => new Date(instantMs).toISOString().slice(0, 10);
