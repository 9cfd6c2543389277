import type {
  PageCredentials,
  SessionEndpoint,
  SessionParameter,
} from "../../../local/page/page-questions.ts";

/** A value of the demo for a field. */
export interface DemoValue {
  readonly label: string;
  readonly value: string;
}

type ValuesOf = (credentials: PageCredentials, nowMs: number) => readonly DemoValue[];

const DAY_MS = 86_400_000;

const each = (ids: Readonly<Record<string, string>>, suffix = ""): readonly DemoValue[] =>
  Object.entries(ids).map(([label, value]) => ({ label: `${label}${suffix}`, value }));

/** The values of each field that the demo can fill, by endpoint and parameter; the first one fills it at the start. */
const VALUES: Readonly<Record<string, Readonly<Record<string, ValuesOf>>>> = {
  "get-transaction": {
    id: ({ business }) => [
      { label: "a completed transfer", value: business.transactionId },
      ...each(business.states, " transfer"),
      ...each(business.types),
      { label: `one of ${business.otherId}`, value: business.otherTransactionId },
      { label: "a request id, for id_type", value: business.requestId },
    ],
  },
  "list-transactions": {
    from: ({ business }) => [{ label: "before the request", value: business.requestWindow.from }],
    to: ({ business }) => [{ label: "after the request", value: business.requestWindow.to }],
    account: ({ business }) => [{ label: "the busiest account", value: business.accountId }],
    request_id: ({ business }) => [{ label: "of a transfer", value: business.requestId }],
  },
  "get-pass": {
    partner_reference: ({ passes }) => [
      ...each(passes.references),
      { label: "a voided pass", value: passes.voidReference },
    ],
  },
  "list-trades": {
    symbol: ({ exchange }) => exchange.symbols.map((symbol) => ({ label: symbol, value: symbol })),
    start_date: (_, nowMs) => [1, 7, 30].map((days) => ago(days, nowMs)),
    end_date: (_, nowMs) => [0, 1].map((days) => ago(days, nowMs)),
  },
  "get-sell-order": {
    order_id: ({ ramp }) => [
      { label: "a completed order", value: ramp.orderId },
      ...each(ramp.orders),
      ...each(ramp.orderShapes, " (shape)"),
      { label: `one of ${ramp.otherPartnerId}`, value: ramp.otherOrderId },
    ],
  },
};

const ago = (days: number, nowMs: number): DemoValue => ({
  label: days === 0 ? "now" : `${days} day${days === 1 ? "" : "s"} ago`,
  value: String(nowMs - days * DAY_MS),
});

/** The values that the demo has for a parameter of an endpoint; none for most. */
export const demoValues = (
  endpoint: string,
  parameter: string,
  credentials: PageCredentials,
  nowMs: number,
): readonly DemoValue[] => VALUES[endpoint]?.[parameter]?.(credentials, nowMs) ?? [];

/** Pages of a few records are enough to look at. */
const PAGE_RECORDS = "5";
const PAGE_LENGTHS = ["count", "limit"];

/** What stands in a form before anybody types: what an endpoint needs, and short pages. */
export function initialValues(
  { name, parameters }: Pick<SessionEndpoint, "name" | "parameters">,
  { credentials, nowMs }: { readonly credentials: PageCredentials; readonly nowMs: number },
): Readonly<Record<string, string>> {
  const initialOf = (parameter: SessionParameter): string => {
    const [first] = demoValues(name, parameter.name, credentials, nowMs);
    if (parameter.isRequired) return first?.value ?? parameter.choices?.[0] ?? "";
    return PAGE_LENGTHS.includes(parameter.name) ? PAGE_RECORDS : "";
  };
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, initialOf(parameter)]));
}
