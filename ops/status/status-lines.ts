import * as z from "zod/mini";
import { queues } from "../../infra/queues.ts";
import { inThousands } from "../../local/records/tally.ts";
import { shortCredentialId } from "../credentials/find-credential.ts";
import { recordTables, type Tenant, tenantKinds } from "../tenants/count-tenants.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import { instantText, shortText } from "../terminal/write-table.ts";
import type { EndingCredential, QueueState, RecordState, Status } from "./status.ts";
import type { Seen } from "./why-not.ts";

/** Whether all is well with a part, somebody has to look, or it is not known. */
export type StatusMark = "ok" | "look" | "not known";

/** One line of a status: a part, and how it stands. */
export interface StatusLine {
  readonly part: string;
  readonly mark: StatusMark;
  readonly text: string;
}

const DAY_MS = 86_400_000;
/** The alarm for queues rings at the first message there. */
const NEEDS_SOMEBODY: ReadonlySet<string> = new Set(["rejected", "dead"]);

/** All of it has to fit one screen. */
const TENANTS_SHOWN_MAX = 10;

type Told = Omit<StatusLine, "part">;
const ok = (text: string): Told => ({ mark: "ok", text });
const lookAt = (text: string): Told => ({ mark: "look", text });

/** The lines of one part: those of what was seen, or one that says why nothing was. */
const linesOf = <Value>(
  part: string,
  seen: Seen<Value>,
  tell: (value: Value) => readonly Told[],
): StatusLine[] =>
  seen.isSeen
    ? tell(seen.value).map((told) => ({ part, ...told }))
    : [{ part, mark: "not known", text: seen.why }];

/** A status for people, at an instant (epoch ms). */
export function statusLines(status: Status, now: number): readonly StatusLine[] {
  const { switches, credentials, queues, records, alarms } = status;
  return [
    ...linesOf("alarms", alarms, (ringing) => {
      if (ringing === undefined) return [];
      if (ringing.length === 0) return [ok("none rings")];
      return ringing.map(({ name, since = "", reason }) => lookAt(`${name} rings since ${since}: ${reason}`));
    }),
    ...linesOf("switches", switches, (off) => {
      if (off.length === 0) return [ok("all endpoints are on")];
      return off.map(({ endpoint, reason, by, at }) => {
        const who = `${at === undefined ? "" : ` since ${instantText(at)}`}${by === undefined ? "" : ` by ${by}`}`;
        return lookAt(`${endpoint} is off${who}: ${reason}`);
      });
    }),
    ...linesOf("credentials", credentials, ({ ending }) =>
      ending.length === 0
        ? [ok("none without a successor ends within 30 days, or ended within the last 7")]
        : ending.map((one) => lookAt(endingText(one, now))),
    ),
    ...linesOf("subjects", credentials, ({ blocked }) => {
      if (blocked.length === 0) return [ok("none is blocked")];
      return blocked.map(({ subject, since, reason }) =>
        ok(
          `${shortText(shownOwner(subject))} is blocked since ${instantText(since)}${reason === undefined ? "" : `: ${reason}`}`,
        ),
      );
    }),
    ...linesOf("queues", queues, (states) => (states ?? []).map(queueLine)),
    ...linesOf("records", records, recordLines),
  ];
}

function recordLines(state: RecordState | undefined): readonly Told[] {
  if (state === undefined) return [ok("`tenants list` counts them by owner")];
  if ("tenants" in state) return tenantLines(state.tenants);
  return [ok(state.sizes.map(({ table, items }) => `${table} ${inThousands(items)}`).join(", "))];
}

function endingText({ id, owner, expiresAt, label }: EndingCredential, now: number): string {
  const name = `${shortCredentialId(id)} of ${shortText(shownOwner(owner))}${label === undefined ? "" : ` (${label})`}`;
  const days = Math.floor((expiresAt - now) / DAY_MS);
  if (expiresAt <= now) return `${name} ended at ${instantText(expiresAt)}`;
  return `${name} ends at ${instantText(expiresAt)}, in ${days} ${days === 1 ? "day" : "days"}`;
}

function queueLine({ queue, waiting, inFlight }: QueueState): Told {
  const text = `${queue} ${inThousands(waiting)} waiting, ${inThousands(inFlight)} in flight`;
  return waiting > 0 && NEEDS_SOMEBODY.has(queue) ? lookAt(text) : ok(text);
}

function tenantLines(tenants: readonly Tenant[]): readonly Told[] {
  if (tenants.length === 0) return [ok("none")];
  const more = tenants.length - TENANTS_SHOWN_MAX;
  return [
    ...tenants.slice(0, TENANTS_SHOWN_MAX).map(tenantLine),
    ...(more > 0 ? [ok(`and ${inThousands(more)} more, which \`tenants list\` shows`)] : []),
  ];
}

const tenantLine = ({ kind, owner, records, newest }: Tenant): Told => {
  const name = owner === undefined ? kind : `${kind} ${shortText(shownOwner(owner))}`;
  return ok(`${name} ${inThousands(records)}${newest === undefined ? "" : `, newest ${newest}`}`);
};

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
