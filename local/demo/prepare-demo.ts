import { isApiKey, newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import { CredentialStore } from "../../lib/auth/credential-store.ts";
import type { Clock } from "../../lib/clock.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { failReasons, sellOrderStatuses } from "../../lib/sell-orders/sell-order-kinds.ts";
import { transactionStates, transactionTypes } from "../../lib/transactions/transaction-kinds.ts";
import { CredentialRegister } from "../credentials/credential-register.ts";
import { type Issuer, issuerKeyFile } from "../identity/issuer.ts";
import type { LocalAuthority } from "../identity/local-authority.ts";
import { claimsOf } from "../identity/local-token.ts";
import type { PrivatePlace } from "../store/private-file.ts";
import {
  type BusinessSection,
  type DemoFile,
  type OrderShape,
  type RampSection,
  readDemoFile,
  writeDemoFile,
} from "./demo-file.ts";
import { type DemoRecords, firstOf, type RecordFile, type SellOrderDocument } from "./demo-records.ts";
import { exchangeSection } from "./exchange-section.ts";
import { passesSection } from "./passes-section.ts";
import { type SeedParts, seedRecords } from "./seed-records.ts";
import { continueDemoTrades, type DemoTradesParts } from "./trades.ts";

export interface DemoParts extends SeedParts, Pick<DemoTradesParts, "first"> {
  readonly dataDir: PrivatePlace;
  /** What clients put before every route: origin and base path. */
  readonly baseUrl: string;
  /** The same for clients with certificates. */
  readonly mutualTlsUrl: string;
  readonly issuer: Pick<Issuer, "issuer" | "jwksUrl" | "mintToken">;
  readonly authority: LocalAuthority;
  /** Called with one line when stored demo records have another own-account word than this start. */
  readonly warn?: (line: string) => void;
}

/**
 * Fills the store on first start, gives every demo caller its credentials, and writes all that they need to
 * `demo.json` (mode 600). Keys and ids stay from start to start; tokens are issued anew.
 */
export async function prepareDemo(parts: DemoParts): Promise<DemoFile> {
  const { brand } = parts;
  const { records, ownAccount } = await seedRecords(parts);
  const [demo] = await Promise.all([admitCallers(parts, records), continueDemoTrades(parts)]);
  if (ownAccount !== brand.ownAccount) {
    parts.warn?.(
      `The demo records say "${ownAccount}", not "${brand.ownAccount}": start with --fresh to rewrite them.`,
    );
  }
  return demo;
}

/** Gives every demo caller its credentials in a store that has the records, and writes them to `demo.json`. */
export async function admitCallers(parts: DemoParts, records: DemoRecords): Promise<DemoFile> {
  const { dataDir, client, stage, baseUrl, brand, clock, issuer } = parts;
  const kept = await readDemoFile(dataDir);
  const table = physicalTableName(stage, "Credentials");
  const register = new CredentialRegister({ client, name: table });
  const [business, ramp, exchange, passes] = await Promise.all([
    businessSection(records, issuer),
    rampSection({ records, register, clock, kept: kept.ramp }),
    exchangeSection({
      dataDir,
      headerPrefix: brand.headerPrefix,
      register,
      credentials: new CredentialStore({ client, name: table }, clock),
      clock,
      kept: kept.exchange,
    }),
    passesSection({ ...parts, register, records }),
  ]);
  const demo: DemoFile = {
    baseUrl,
    issuer: { issuer: issuer.issuer, keyFile: issuerKeyFile(dataDir), jwksUrl: issuer.jwksUrl },
    business,
    ramp,
    exchange,
    passes,
  };
  await writeDemoFile(dataDir, demo);
  return demo;
}

const DAY_MS = 86_400_000;

/** The section of the business interface, with new tokens. */
async function businessSection(
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

interface RampParts {
  readonly records: Pick<DemoRecords, "partner" | "otherPartner">;
  readonly register: Pick<CredentialRegister, "add">;
  readonly clock: Clock;
  /** The section of an earlier start, whose keys are kept. */
  readonly kept: Partial<RampSection> | undefined;
}

/** The section of the ramp. Its keys are made once; a store that does not know them yet learns them. */
async function rampSection({ records, register, clock, kept }: RampParts): Promise<RampSection> {
  const admit = async (owner: string, kept: unknown): Promise<string> => {
    const apiKey = typeof kept === "string" && isApiKey(kept) ? kept : newApiKey();
    await register.add({ id: rampKeyId(apiKey), kind: "ramp-key", owner, scopes: [], createdAt: clock() });
    return apiKey;
  };
  const { partner, otherPartner } = records;
  return {
    partnerId: partner.ownerId,
    apiKey: await admit(partner.ownerId, kept?.apiKey),
    otherPartnerId: otherPartner.ownerId,
    otherApiKey: await admit(otherPartner.ownerId, kept?.otherApiKey),
    orderId: orderOf(partner, "COMPLETED"),
    otherOrderId: orderOf(otherPartner, "COMPLETED"),
    orders: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, orderOf(partner, outcome)])),
    orderShapes: Object.fromEntries(SHAPES.map((shape) => [shape, orderOfShape(partner, shape)])) as Record<
      OrderShape,
      string
    >,
  };
}

/** What an order came to, in one word: a failure's reason, else the status. A failure without a reason has none. */
const OUTCOMES = [...sellOrderStatuses.filter((status) => status !== "FAILED"), ...failReasons];

const orderOf = (file: RecordFile<SellOrderDocument>, outcome: string): string =>
  firstOf(
    file,
    `order that came to ${outcome}`,
    ({ status, fail_reason: reason }) => (status === "FAILED" ? reason : status) === outcome,
  ).id;

const SHAPES: readonly OrderShape[] = ["full", "withoutPartnerFee", "withoutPartnerRate", "bare"];

const orderOfShape = (file: RecordFile<SellOrderDocument>, shape: OrderShape): string =>
  firstOf(file, `order of the shape ${shape}`, (order) => shapeOf(order) === shape).id;

function shapeOf({ fees, fees_partner_currency: converted }: SellOrderDocument): OrderShape {
  const hasRate = converted.ramp_fee !== undefined;
  if (fees.partner_fee !== undefined) return hasRate ? "full" : "withoutPartnerRate";
  return hasRate ? "withoutPartnerFee" : "bare";
}
