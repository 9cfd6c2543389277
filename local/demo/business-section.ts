import { transactionStates, transactionTypes } from "../../lib/transactions/transaction-kinds.ts";
import type { Issuer } from "../identity/issuer.ts";
import { localAudiences } from "../identity/local-identity.ts";
import { printer, roaster } from "./businesses.ts";
import type { BusinessSection } from "./demo-file.ts";
import { demoTransactionId, specimenLabel } from "./transaction-plan.ts";
import type { DemoTransaction } from "./transactions.ts";

const SCOPE = "transactions.read";
const DAY_MS = 86_400_000;

const specimens = <Key extends string>(
  keys: readonly Key[],
  label: (key: Key) => string,
): Record<string, string> => Object.fromEntries(keys.map((key) => [key, demoTransactionId(label(key))]));

/** The section of the business interface, with new tokens. */
export async function businessSection(
  transactions: readonly DemoTransaction[],
  issuer: Pick<Issuer, "mintToken">,
): Promise<BusinessSection> {
  const shown = transactions.find(({ label }) => label === specimenLabel("transfer", "completed"));
  const other = transactions.find(({ businessId }) => businessId === printer.id);
  if (shown?.requestId === undefined || other === undefined)
    throw new Error("The demo lacks what its lines ask for.");
  const [token, otherToken, noScopeToken] = await Promise.all([
    issuer.mintToken({ subject: roaster.id, scope: SCOPE }),
    issuer.mintToken({ subject: printer.id, scope: SCOPE }),
    issuer.mintToken({ subject: roaster.id, scope: "accounts.read" }),
  ]);
  return {
    id: roaster.id,
    audience: localAudiences.business,
    token,
    otherId: printer.id,
    otherToken,
    noScopeToken,
    transactionId: shown.id,
    requestId: shown.requestId,
    requestWindow: { from: isoDateOf(shown.createdMs - DAY_MS), to: isoDateOf(shown.createdMs + 2 * DAY_MS) },
    otherTransactionId: other.id,
    accountId: roaster.main.id,
    types: specimens(transactionTypes, (type) => specimenLabel(type, "completed")),
    states: specimens(transactionStates, (state) => specimenLabel("transfer", state)),
  };
}

const isoDateOf = (instantMs: number): string => new Date(instantMs).toISOString().slice(0, 10);
