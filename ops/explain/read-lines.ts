import * as z from "zod/mini";
import { endpoints } from "../../infra/endpoints.ts";
import { parsedJson } from "../../lib/json-value.ts";
import type { Fault, LogOrigin } from "../../lib/log.ts";
import { explanationSchema } from "../../local/history/explain-route.ts";
import { STEPS, stepOutcomes } from "../../local/history/steps.ts";
import { type FunctionEntry, readFunctionEntry } from "../../local/log/request-line.ts";
import { instantText } from "../terminal/write-table.ts";

/** What is told of an answer: of a deployed one, what its log knows. */
export const toldSchema = z.extend(z.partial(explanationSchema, { presented: true, calls: true }), {
  lambdaRequestId: z.optional(z.string()),
  traceId: z.optional(z.string()),
  /** The error behind a 5xx, and then its causes. */
  errors: z.optional(
    z.array(
      z.object({
        name: z.string(),
        message: z.optional(z.string()),
        code: z.optional(z.string()),
        requestId: z.optional(z.string()),
        frames: z.array(z.string()),
      }),
    ),
  ),
});

export type Told = z.infer<typeof toldSchema>;

/** The members of the gateway's line that are read. One without a value is `-`. */
export const accessLine = z.object({
  requestId: z.string(),
  integrationRequestId: z.string(),
  routeKey: z.string(),
  status: z.string(),
  responseLatencyMs: z.string(),
  integrationError: z.string(),
  gatewayError: z.string(),
  clientCertSubject: z.string(),
  clientCertSerial: z.string(),
});

/** Lambda's line about the end of an invocation. */
const reportLine = z.object({
  type: z.literal("platform.report"),
  record: z.object({
    status: z.string(),
    metrics: z.object({ durationMs: z.number(), maxMemoryUsedMB: z.number(), memorySizeMB: z.number() }),
  }),
});

/** Lambda's line about an error that left a function. */
const crashLine = z.object({ message: z.object({ errorType: z.string(), errorMessage: z.string() }) });

/** The members of all lines that name the request or the invocation. */
const idMembers = z.partial(
  z.object({
    gateway_request_id: z.string(),
    aws_request_id: z.string(),
    requestId: z.string(),
    integrationRequestId: z.string(),
    record: z.object({ requestId: z.string() }),
  }),
);

/** A line of a stage's logs, which is of one of these kinds, or about something else. */
export interface Line {
  /** Epoch ms. */
  readonly atMs: number;
  /** The ids of its request, by which the other lines about it are found. */
  readonly ids: readonly string[];
  readonly own?: FunctionEntry & LogOrigin;
  readonly access?: z.infer<typeof accessLine>;
  readonly report?: z.infer<typeof reportLine>["record"];
  readonly crash?: z.infer<typeof crashLine>["message"];
}

/** Reads a line that was written at an instant, in epoch ms. */
export function readLine(atMs: number, text: string): Line {
  const json = parsedJson(text);
  const { record, ...ids } = idMembers.safeParse(json).data ?? {};
  return {
    atMs,
    ids: [...Object.values(ids), record?.requestId].flatMap((id) => given(id) ?? []),
    ...present({
      own: readFunctionEntry(text),
      access: accessLine.safeParse(json).data,
      report: reportLine.safeParse(json).data?.record,
      crash: crashLine.safeParse(json).data?.message,
    }),
  };
}

/** A member of the gateway's line; undefined for one without a value. */
const given = (value: string | undefined): string | undefined => (value === "-" ? undefined : value);

/** Whether a line is about a request with one of the ids, and does not only happen to have its letters. */
export const isAbout = ({ ids, own }: Line, wanted: readonly string[]): boolean =>
  [...ids, own?.error_id, own?.trace_id].some((id) => id !== undefined && wanted.includes(id));

/** What is left out where the log does not know it. */
const present = (members: object) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Explains an answer by the lines about it; undefined where neither a function nor the gateway has one. */
export function explainLines(lines: readonly Line[]): Told | undefined {
  // The first of each kind.
  const all = Object.assign({}, ...lines.toReversed()) as Line;
  const { atMs, own, access } = all;
  const route = own === undefined ? access?.routeKey : `${own.method} ${own.route}`;
  if (route === undefined) return undefined;
  const [method = "", target = method] = route.split(" ");
  const durationMs = own?.duration_ms ?? Number(access?.responseLatencyMs);
  return {
    ...present({
      lambdaRequestId: own?.aws_request_id ?? given(access?.integrationRequestId),
      traceId: own?.trace_id,
      errorId: own?.error_id,
      endpoint: own?.endpoint ?? endpointOf(route),
      code: own?.code,
      reason: own === undefined ? gatewaysReason(all) : own.reason,
      errors: own?.fault && chainOf(own.fault),
      presented: certificateOf(access),
      owner: own?.owner,
    }),
    requestId: own?.gateway_request_id ?? access?.requestId ?? "",
    receivedAt: instantText(own === undefined ? atMs : Date.parse(own.timestamp) - durationMs),
    durationMs,
    method,
    target,
    status: own?.status ?? Number(access?.status),
    steps: own === undefined ? [] : stepsOf(own),
    tokensCharged: own?.TokensCharged ?? 0,
    hints: [],
  };
}

const endpointOf = (route: string): string | undefined =>
  endpoints.find(({ contract }) => `${contract.method} ${contract.route}` === route)?.contract.name;

function stepsOf({ code, owner, TokensCharged = 0 }: FunctionEntry): Told["steps"] {
  const outcomes = stepOutcomes({
    ...(code !== undefined && { code }),
    hasGoodParameters: undefined,
    hasOwner: owner !== undefined,
    isSwitchUnread: true,
    isCharged: TokensCharged > 0,
  });
  return STEPS.map((step) => ({ step, outcome: outcomes[step] }));
}

/** Why the gateway answered by itself: what Lambda says of the invocation, and the gateway. */
function gatewaysReason({ access, report, crash }: Line): string | undefined {
  const reasons = [
    report && report.status !== "success" ? endedBy(report) : undefined,
    crash && `${crash.errorType}: ${crash.errorMessage}`,
    given(access?.integrationError),
    given(access?.gatewayError),
  ];
  return reasons.filter((reason) => reason !== undefined).join("; ") || undefined;
}

const endedBy = ({ status, metrics }: NonNullable<Line["report"]>): string =>
  `the function ended with ${status} after ${metrics.durationMs} ms and with ${metrics.maxMemoryUsedMB} of its ${metrics.memorySizeMB} MB`;

/** An error and its causes, in a row. */
function chainOf({ cause, request_id: requestId, ...fault }: Fault): NonNullable<Told["errors"]> {
  const one = { ...fault, ...(requestId !== undefined && { requestId }), frames: [...fault.frames] };
  return [one, ...(cause === undefined ? [] : chainOf(cause))];
}

function certificateOf(access: Line["access"]): Told["presented"] {
  if (access === undefined || given(access.clientCertSerial) === undefined) return undefined;
  const names = { subject: access.clientCertSubject, serial: access.clientCertSerial };
  return [{ kind: "client certificate", names }];
}
