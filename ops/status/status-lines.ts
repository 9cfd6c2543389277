import { inThousands } from "../../local/records/tally.ts";
import { shortCredentialId } from "../credentials/find-credential.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import { instantText, shortText } from "../terminal/write-table.ts";
import type { EndingCredential } from "./read-credentials.ts";
import type { QueueState } from "./read-queues.ts";
import type { RecordState, Status } from "./status.ts";
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
