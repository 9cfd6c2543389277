import { exchangeKeyId, rampKeyId } from "../../lib/auth/credential.ts";
import type { Brand } from "../../lib/brand.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { Failure } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { readParameters } from "../../lib/http/parameters.ts";
import { isMembers, type Members, parsedJson } from "../../lib/json-value.ts";
import type { RequestLogEntry } from "../../lib/log.ts";
import { ownMember } from "../../lib/own-member.ts";
import { type Exchange, readableTarget } from "../gateway/exchange.ts";
import { contractOf, errorBodyOf } from "../hints/request-seen.ts";
import { isCredential, shownTarget } from "../http/shown-target.ts";
import { commands } from "../installation.ts";
import type { RequestReport } from "../log/request-line.ts";
import type { StoreCall } from "../store/store-call.ts";
import { LOCAL_STAGE } from "../template/local-stage.ts";
import type { Explanation } from "./explain-route.ts";
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
    presented: presentedBy(exchange, brand),
    ...textMember("clientRequestId", response.headers["request-id"]),
    ...textMember("tokensLeft", response.headers.ratelimit),
    ...textMember("endpoint", contract?.name),
    ...textMember("reason", gatewaysReason(response)),
    ...textMember("fault", response.fault),
    ...textMember("errorId", error?.errorId),
    ...textMember("code", error?.code),
    ...textMember("message", isSafe ? error?.message : undefined),
    ...(contract !== undefined && parametersMember(exchange, contract)),
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
const gatewaysReason = ({
  problem,
  stint,
  fault,
}: RequestReport["exchange"]["response"]): string | undefined =>
  problem === undefined || stint === undefined || fault !== undefined ? problem : FUNCTION_FAILED;

const FUNCTION_FAILED = `the function failed, or the gateway refused its answer; the line in the log of ${commands.start} says how`;

/** A member with a text; none where there is no text. */
const textMember = <Name extends keyof Explanation>(name: Name, value: unknown): { [key in Name]?: string } =>
  (typeof value === "string" ? { [name]: value } : {}) as { [key in Name]?: string };

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

const VALUE_MAX = 200;

/**
 * A request's parameters as its function reads them; none where its contract refuses them. What has the form of a
 * credential is left out.
 */
function parametersMember(exchange: Exchange, contract: EndpointContract): Pick<Explanation, "parameters"> {
  const request = {
    method: exchange.method,
    path: readableTarget(exchange)?.path ?? "",
    rawQuery: readableTarget(exchange)?.rawQuery ?? "",
    pathParameters: exchange.match?.pathParameters ?? {},
    headers: {},
    hasBody: false,
    clientCertificate: undefined,
    gatewayRequestId: undefined,
  };
  try {
    const { path, query } = readParameters(contract, request);
    const shown = Object.entries({ ...(path as object), ...(query as object) });
    return { parameters: Object.fromEntries(shown.map(([name, value]) => [name, shownValue(value)])) };
  } catch (error) {
    if (error instanceof Failure) return {};
    throw error;
  }
}

function shownValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return isCredential(text) ? "(not shown)" : text.slice(0, VALUE_MAX);
}

/** Credentials, each by its kind and what names it. Never the secret itself. */
type Presented = Explanation["presented"];

/** The credentials that a request carried, valid or not, in the order in which the contracts list them. */
export function presentedBy(
  { headers, clientCert }: Pick<Exchange, "headers" | "clientCert">,
  { headerPrefix }: Pick<Brand, "headerPrefix">,
): Presented {
  const header = (name: string): string | undefined => ownMember(headers, name.toLowerCase());
  const one = <Given>(kind: string, given: Given | undefined, namesOf: (given: Given) => Names): Presented =>
    given === undefined ? [] : [{ kind, names: withoutAbsent(namesOf(given)) }];
  return [
    ...presentedToken(header("Authorization")),
    ...one("detached JWS", header("Jws-Signature"), (signature) =>
      textsOf(membersIn(signature.split(".")[0]), ["alg", "kid"]),
    ),
    ...one("client certificate", clientCert, ({ subjectDN, serialNumber }) => ({
      // A client may be named by its alternative names alone.
      subject: subjectDN === "" ? undefined : subjectDN.slice(0, TEXT_MAX),
      serial: serialNumber.slice(0, TEXT_MAX),
    })),
    ...one("signature", header(`${headerPrefix}API-Key`), (key) => ({
      key: exchangeKeyId(key),
      timestamp: numberText(header(`${headerPrefix}Timestamp`)),
    })),
    ...one("API key", header("X-API-KEY"), (key) => ({ key: rampKeyId(key) })),
  ];
}

type Names = Readonly<Record<string, string | undefined>>;

/** The members of a token that name who issued it, to whom and for what. */
const CLAIMS = ["iss", "aud", "sub", "scope"] as const;

function presentedToken(authorization: string | undefined): Presented {
  if (authorization === undefined) return [];
  const [, header, payload] = /^bearer +([^.\s]+)\.([^.\s]+)\.[^.\s]+$/i.exec(authorization) ?? [];
  const [head, claims] = [membersIn(header), membersIn(payload)];
  const expiry = typeof claims.exp === "number" && { expires: instantText(claims.exp * 1_000) };
  const names = { ...textsOf(head, ["alg", "kid"]), ...textsOf(claims, CLAIMS), ...expiry };
  return [{ kind: header === undefined ? "Authorization of another form" : "access token", names }];
}

/** The members of a part of a token; none when it is not JSON in Base64url. */
function membersIn(part: string | undefined): Members {
  const value = parsedJson(Buffer.from(part ?? "", "base64url").toString());
  return isMembers(value) ? value : {};
}

const TEXT_MAX = 200;

const textsOf = (members: Members, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = ownMember(members, name);
      return typeof value === "string" ? [[name, value.slice(0, TEXT_MAX)]] : [];
    }),
  );

const withoutAbsent = (members: Names): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** A timestamp as it was sent; anything but digits is not a timestamp. */
const numberText = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{1,20}$/.test(text) ? text : undefined;

/** An instant as ISO 8601; empty for a number that is none. */
function instantText(epochMs: number): string {
  const instant = new Date(epochMs);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
}
