import * as z from "zod/mini";
import { queues } from "../../infra/queues.ts";
import { recordTables } from "../tenants/table-sizes.ts";
import { tenantKinds } from "../tenants/tenant.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { instantText } from "../terminal/write-table.ts";
import type { RecordState, Status } from "./status.ts";
import type { StatusLine } from "./status-lines.ts";

const text = z.string();
const time = (epochMs: number | undefined): string | null =>
  epochMs === undefined ? null : instantText(epochMs);

/** What `status --json` prints. A part that could not be looked at is absent, and stands in `unknown` with the reason. */
export const statusShape = z.object({
  store: text,
  at: jsonTime,
  /** `attention`: something needs somebody; `unknown`: nothing seen does, but a part could not be looked at. */
  state: z.enum(["well", "attention", "unknown"]),
  alarms: z.optional(z.array(z.object({ name: text, since: z.nullable(jsonTime), reason: text }))),
  switchesOff: z.optional(
    z.array(z.object({ endpoint: text, reason: text, by: z.nullable(text), at: z.nullable(jsonTime) })),
  ),
  blockedSubjects: z.optional(
    z.array(z.object({ subject: text, since: jsonTime, reason: z.nullable(text) })),
  ),
  endingCredentials: z.optional(
    z.array(
      z.object({
        id: text,
        owner: text,
        label: z.nullable(text),
        expiresAt: jsonTime,
        hasEnded: z.boolean(),
      }),
    ),
  ),
  queues: z.optional(z.array(z.object({ queue: z.enum(queues), waiting: z.number(), inFlight: z.number() }))),
  /** Of a deployed stage: as DynamoDB last counted, which it does about every six hours. */
  tables: z.optional(z.array(z.object({ table: z.enum(recordTables), items: z.number() }))),
  /** With --count. */
  tenants: z.optional(
    z.array(
      z.object({
        kind: z.enum(tenantKinds),
        owner: z.nullable(text),
        records: z.number(),
        newest: z.nullable(jsonTime),
      }),
    ),
  ),
  unknown: z.array(z.object({ part: text, why: text })),
});

export const statusExample: z.input<typeof statusShape> = {
  store: "stage prod in eu-central-1",
  at: "2026-11-29T03:00:12.000Z",
  state: "attention",
  alarms: [],
  switchesOff: [
    {
      endpoint: "get-pass",
      reason: "DynamoDB is failing",
      by: "arn:aws:sts::111122223333:assumed-role/on-call/kim",
      at: "2026-11-29T02:51:40.000Z",
    },
  ],
  blockedSubjects: [],
  endingCredentials: [],
  queues: [{ queue: "dead", waiting: 0, inFlight: 0 }],
  unknown: [],
};

export type StatusState = z.infer<typeof statusShape>["state"];

/** What the lines of a status mean together. */
export function stateOf(lines: readonly StatusLine[]): StatusState {
  if (lines.some(({ mark }) => mark === "look")) return "attention";
  return lines.some(({ mark }) => mark === "not known") ? "unknown" : "well";
}

/** A status for programs. */
export function statusJson(
  status: Status,
  {
    store,
    now,
    lines,
  }: { readonly store: string; readonly now: number; readonly lines: readonly StatusLine[] },
): z.infer<typeof statusShape> {
  const { alarms, switches, credentials, queues: states, records } = status;
  return {
    store,
    at: instantText(now),
    state: stateOf(lines),
    ...(alarms.isSeen &&
      alarms.value !== undefined && {
        alarms: alarms.value.map(({ since, ...others }) => ({ ...others, since: since ?? null })),
      }),
    ...(switches.isSeen && {
      switchesOff: switches.value.map(({ endpoint, reason, by, at }) => ({
        endpoint,
        reason,
        by: by ?? null,
        at: time(at),
      })),
    }),
    ...(credentials.isSeen && credentialsJson(credentials.value, now)),
    ...(states.isSeen && states.value !== undefined && { queues: [...states.value] }),
    ...(records.isSeen && records.value !== undefined && recordsJson(records.value)),
    unknown: lines.filter(({ mark }) => mark === "not known").map(({ part, text: why }) => ({ part, why })),
  };
}

function recordsJson(state: RecordState): Pick<z.infer<typeof statusShape>, "tables" | "tenants"> {
  if ("sizes" in state) return { tables: state.sizes.map(({ table, items }) => ({ table, items })) };
  return {
    tenants: state.tenants.map(({ kind, owner, records, newest }) => ({
      kind,
      owner: owner ?? null,
      records,
      newest: newest ?? null,
    })),
  };
}

const credentialsJson = (
  { blocked, ending }: Extract<Status["credentials"], { readonly isSeen: true }>["value"],
  now: number,
) => ({
  blockedSubjects: blocked.map(({ subject, since, reason }) => ({
    subject,
    since: instantText(since),
    reason: reason ?? null,
  })),
  endingCredentials: ending.map(({ id, owner, label, expiresAt }) => ({
    id,
    owner,
    label: label ?? null,
    expiresAt: instantText(expiresAt),
    hasEnded: expiresAt <= now,
  })),
});
