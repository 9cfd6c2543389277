import type { Brand } from "../../lib/brand.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { Failure } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { readParameters } from "../../lib/http/parameters.ts";
import type { RequestLogEntry } from "../../lib/log.ts";
import { type Exchange, readableTarget } from "../gateway/exchange.ts";
import { contractOf, errorBodyOf } from "../hints/request-seen.ts";
import { isCredential, shownTarget } from "../http/shown-target.ts";
import { commands } from "../installation.ts";
import type { RequestReport } from "../log/request-line.ts";
import type { StoreCall } from "../store/store-call.ts";
import { LOCAL_STAGE } from "../template/local-stage.ts";
import type { Explanation } from "./explain-route.ts";
import { presentedBy } from "./presented.ts";
import { STEPS, stepOutcomes } from "./steps.ts";

/** The members of a function's line that an explanation uses. */
export type Heard = Pick<RequestLogEntry, "owner" | "reason">;

/** The table of the switches. */
const SETTINGS_TABLE = physicalTableName(LOCAL_STAGE, "Settings");

/** Explains an answer by what the gateway saw of it, before the function's line is there. */
export function explainAnswer(report: RequestReport, brand: Brand): Explanation {
  const { exchange, calls, bill, hints } = report;
  const { response, sentTarget, receivedAtMs, requestId, durationMs, method } = exchange;
  const contract = contractOf(exchange);
  const error = errorBodyOf(response);
  const target = shownTarget(sentTarget);
  // A message may repeat what the caller sent.
  const isSafe = target === sentTarget;
  return {
    requestId,
    receivedAt: new Date(receivedAtMs).toISOString(),
    durationMs,
    method,
    target,
    status: response.statusCode,
    tokensCharged: bill?.tokens ?? 0,
    calls: calls.map(shownCall),
    hints: [...hints],
    presented: presentedBy(exchange, brand).map((one) => ({ ...one, names: { ...one.names } })),
    ...textMember("clientRequestId", response.headers["request-id"]),
    ...textMember("tokensLeft", response.headers.ratelimit),
    ...textMember("endpoint", contract?.name),
    ...textMember("reason", gatewaysReason(response)),
    ...textMember("errorId", error?.errorId),
    ...textMember("code", error?.code),
    ...textMember("message", isSafe ? error?.message : undefined),
    ...parametersMember(report, contract),
    steps: [],
  };
}

/**
 * Completes an explanation by the function's own line, and derives the steps. Without the line, as of an answer of the
 * gateway's own, no owner is known.
 */
export function completeExplanation(explanation: Explanation, heard: Heard | undefined): Explanation {
  const isFunctions = explanation.clientRequestId !== undefined;
  const outcomes = stepOutcomes({
    ...(explanation.code !== undefined && { code: explanation.code }),
    hasGoodParameters: explanation.parameters !== undefined,
    hasOwner: heard?.owner !== undefined,
    isSwitchUnread: explanation.calls.some(
      ({ table, failure }) => table === SETTINGS_TABLE && failure !== undefined,
    ),
    isCharged: explanation.tokensCharged > 0,
  });
  const { parameters, ...rest } = explanation;
  return {
    ...rest,
    // A function that refused the credentials has not looked at the parameters.
    ...(parameters !== undefined && outcomes.parameters === "passed" && { parameters }),
    ...textMember("owner", heard?.owner),
    ...textMember("reason", heard?.reason ?? explanation.reason),
    steps: isFunctions ? STEPS.map((step) => ({ step, outcome: outcomes[step] })) : [],
  };
}

/** Why the gateway answered by itself. The error of a function may repeat anything, so it stays in the log. */
const gatewaysReason = ({ problem, stint }: RequestReport["exchange"]["response"]): string | undefined =>
  problem === undefined || stint === undefined ? problem : FUNCTION_FAILED;

const FUNCTION_FAILED = `the function failed, or the gateway refused its answer; the line in the log of ${commands.start} says how`;

/** A member with a text; none where there is no text. */
const textMember = <Name extends keyof Explanation>(name: Name, value: unknown): { [key in Name]?: string } =>
  (typeof value === "string" ? { [name]: value } : {}) as { [key in Name]?: string };

function parametersMember(
  { exchange }: RequestReport,
  contract: EndpointContract | undefined,
): Pick<Explanation, "parameters"> {
  const read = contract === undefined ? undefined : readAgain(exchange, contract);
  return read !== undefined && "parameters" in read ? { parameters: { ...read.parameters } } : {};
}

const shownCall = (call: StoreCall): Explanation["calls"][number] => ({
  operation: call.operation,
  table: call.table,
  key: call.key,
  readUnits: call.readUnits,
  writeUnits: call.writeUnits,
  durationMs: call.durationMs,
  ...(call.index !== undefined && { index: call.index }),
  ...(call.failure !== undefined && { failure: call.failure }),
});

/** Path and query of a request, read by its contract. */
type ReadAgain =
  | { readonly parameters: Readonly<Record<string, string>> }
  /** The sentence with which the contract refuses them. */
  | { readonly violation: string };

const VALUE_MAX = 200;

/** Reads a request's parameters as its function does. What has the form of a credential is left out. */
function readAgain(exchange: Exchange, contract: EndpointContract): ReadAgain {
  const { match, method } = exchange;
  const request = {
    method,
    path: readableTarget(exchange)?.path ?? "",
    rawQuery: readableTarget(exchange)?.rawQuery ?? "",
    pathParameters: match?.pathParameters ?? {},
    headers: {},
    hasBody: false,
    clientCertificate: undefined,
    gatewayRequestId: undefined,
  };
  try {
    const { path, query } = readParameters(contract, request);
    const read = { ...(path as object), ...(query as object) };
    const shown = Object.entries(read).map(([name, value]) => [name, shownValue(value)]);
    return { parameters: Object.fromEntries(shown) };
  } catch (error) {
    if (error instanceof Failure) return { violation: error.message };
    throw error;
  }
}

function shownValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return isCredential(text) ? "(not shown)" : text.slice(0, VALUE_MAX);
}
