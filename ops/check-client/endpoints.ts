import { apiKey } from "../../lib/auth/api-key.ts";
import { IssuerKeySet } from "../../lib/auth/key-set.ts";
import { signedRequest } from "../../lib/auth/signed-request.ts";
import { trustIssuer } from "../../lib/auth/trust-issuer.ts";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { authenticateWallet } from "../../lib/passes/authenticate-wallet.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { planGetPass } from "../../lib/passes/get-pass.ts";
import { getSellOrder } from "../../lib/sell-orders/contract.ts";
import { planGetSellOrder } from "../../lib/sell-orders/get-sell-order.ts";
import { defaultFreshness } from "../../lib/signature/settings.ts";
import { getTransaction, listTransactions } from "../../lib/transactions/contract.ts";
import { planGetTransaction } from "../../lib/transactions/get-transaction.ts";
import { planListTransactions } from "../../lib/transactions/list-transactions.ts";
import { localAudiences } from "../../local/identity/local-identity.ts";
import { oneOffPassSettings, oneOffTokenEnv } from "../one-off-keys/one-off-keys.ts";
import type { Issued } from "./credentials.ts";
import { Listings } from "./listings.ts";
import { passOf, sellOrderOf, transactionOf } from "./sample-records.ts";
import { type ScriptedEndpoint, scriptEndpoint } from "./scripted-endpoint.ts";
import { tradesEndpoint } from "./trades-endpoint.ts";
import { pageOfTransactions, transactionsQuestion } from "./transaction-pages.ts";

export interface EndpointOptions {
  readonly issued: Issued;
  readonly brand: Brand;
  readonly clock: Clock;
}

/** The lifetime of the lookup by request id, as a stage sets it. */
const LIFECYCLE = {
  basePath: "",
  deprecatedAt: "2026-07-01T00:00:00Z",
  sunsetAt: "2027-07-01T00:00:00Z",
} as const;

/** Every endpoint of the service, with credentials that are really verified. */
export function scriptedEndpoints({ issued, brand, clock }: EndpointOptions): readonly ScriptedEndpoint[] {
  const credentials = {
    get: async (id: string) => issued.registered.get(id),
    getAll: async (ids: readonly string[]) => ids.flatMap((id) => issued.registered.get(id) ?? []),
  };
  const signed = signedRequest({ brand, freshness: defaultFreshness, credentials, clock });
  const businessTokens = { ...oneOffTokenEnv(localAudiences.business), TOKEN_LIFETIME_DAYS_MAX: 2 };
  const url = new URL(businessTokens.TOKEN_JWKS_URL);
  const keys = new IssuerKeySet({ url, clock, fetchText: async () => issued.jwks });
  const business = {
    interfaceName: "business",
    authenticate: trustIssuer(businessTokens, keys, credentials, clock),
    clock,
  } as const;
  return [
    tradesEndpoint({ authenticate: signed, venue: brand.venue, clock }),
    transactionList(business),
    transactionRecord(business),
    sellOrders({ authenticate: apiKey({ credentials, clock }), ownAccount: brand.ownAccount, clock }),
    passes({ issued, brand, clock }, credentials, keys),
  ];
}

type Business = Pick<Parameters<typeof scriptEndpoint>[0], "authenticate" | "clock"> & {
  readonly interfaceName: "business";
};

function transactionList(business: Business): ScriptedEndpoint {
  const listings = new Listings();
  return scriptEndpoint({
    ...business,
    contract: listTransactions,
    manner: "list",
    questionOf: ({ query }, { rawQuery }) => transactionsQuestion(query, rawQuery),
    plan: (step, given) => {
      const plan = planListTransactions(
        { page: async (search) => pageOfTransactions(step, search, listings, given) },
        business.clock,
      );
      return async (request) => {
        const { cost, answer } = await plan(request);
        return {
          cost,
          answer: async () => {
            const found = await answer();
            const next = /^<\?([^>]*)>/.exec(found.headers?.Link ?? "")?.[1];
            if (next !== undefined) given.next = next;
            return found;
          },
        };
      };
    },
  });
}

const transactionRecord = (business: Business): ScriptedEndpoint =>
  scriptEndpoint({
    ...business,
    contract: getTransaction,
    manner: "record",
    questionOf: ({ path }) => ({ subject: path.id }),
    plan: (step, given) => {
      const find = async (_: string, id: string): Promise<string> => {
        const createdAt = new Date(business.clock()).toISOString();
        const record = transactionOf(step, { id, createdAt, type: "transfer", state: "completed" });
        given.records = [record];
        return record.text;
      };
      return planGetTransaction({ get: find, getNewestByRequestId: find }, LIFECYCLE);
    },
  });

const sellOrders = ({
  authenticate,
  ownAccount,
  clock,
}: Pick<Business, "authenticate" | "clock"> & { readonly ownAccount: string }): ScriptedEndpoint =>
  scriptEndpoint({
    contract: getSellOrder,
    interfaceName: "ramp",
    manner: "record",
    authenticate,
    clock,
    questionOf: ({ path }) => ({ subject: path.order_id }),
    plan: (step, given) =>
      planGetSellOrder({
        get: async (_, id) => {
          const record = sellOrderOf(step, id, ownAccount, new Date(clock()).toISOString());
          given.records = [record];
          return record.text;
        },
      }),
  });

function passes(
  { brand, clock }: EndpointOptions,
  credentials: Parameters<typeof authenticateWallet>[1]["credentials"] &
    Parameters<typeof authenticateWallet>[1]["registrations"],
  keys: IssuerKeySet,
): ScriptedEndpoint {
  const settings = oneOffPassSettings(brand.versionHeader);
  return scriptEndpoint({
    contract: getPass,
    interfaceName: "passes",
    manner: "poll",
    authenticate: authenticateWallet(settings, { credentials, registrations: credentials }, keys, clock),
    clock,
    questionOf: ({ path }) => ({ subject: path.partner_reference }),
    plan: (step, given) =>
      planGetPass(
        {
          get: async (reference) => {
            const record = passOf(step, reference);
            given.records = [record];
            return { state: "current", text: record.text, version: 1, templateId: undefined };
          },
        },
        brand.versionHeader,
      ),
  });
}
