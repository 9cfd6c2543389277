import { inThousands } from "../../local/records/tally.ts";
import { shortCredentialId } from "../credentials/find-credential.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import { shortText } from "../terminal/write-table.ts";
import type { Part, Status } from "./status.ts";
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
    ...linesOf("alarms", alarms, ({ alarms: ringing }) => {
      if (ringing === undefined) return [];
      if (ringing.length === 0) return [ok("none rings")];
      return ringing.map(({ name, since, reason }) =>
        lookAt(`${name} rings since ${since ?? ""}: ${reason}`),
      );
    }),
    ...linesOf("switches", switches, ({ switchesOff: off }) => {
      if (off.length === 0) return [ok("all endpoints are on")];
      return off.map(({ endpoint, reason, by, at }) => {
        const who = `${at === null ? "" : ` since ${at}`}${by === null ? "" : ` by ${by}`}`;
        return lookAt(`${endpoint} is off${who}: ${reason}`);
      });
    }),
    ...linesOf("credentials", credentials, ({ endingCredentials: ending }) =>
      ending.length === 0
        ? [ok("none without a successor ends within 30 days, or ended within the last 7")]
        : ending.map((one) => lookAt(endingText(one, now))),
    ),
    ...linesOf("subjects", credentials, ({ blockedSubjects: blocked }) => {
      if (blocked.length === 0) return [ok("none is blocked")];
      return blocked.map(({ subject, since, reason }) =>
        ok(
          `${shortText(shownOwner(subject))} is blocked since ${since}${reason === null ? "" : `: ${reason}`}`,
        ),
      );
    }),
    ...linesOf("queues", queues, ({ queues: states = [] }) => states.map(queueLine)),
    ...linesOf("records", records, recordLines),
  ];
}

function recordLines({
  tables,
  tenants,
}: Extract<Status["records"], { isSeen: true }>["value"]): readonly Told[] {
  if (tenants !== undefined) return tenantLines(tenants);
  if (tables === undefined) return [ok("`tenants list` counts them by owner")];
  return [ok(tables.map(({ table, items }) => `${table} ${inThousands(items)}`).join(", "))];
}

function endingText(
  { id, owner, expiresAt, label, hasEnded }: Part<"endingCredentials">,
  now: number,
): string {
  const name = `${shortCredentialId(id)} of ${shortText(shownOwner(owner))}${label === null ? "" : ` (${label})`}`;
  const days = Math.floor((Date.parse(expiresAt) - now) / DAY_MS);
  if (hasEnded) return `${name} ended at ${expiresAt}`;
  return `${name} ends at ${expiresAt}, in ${days} ${days === 1 ? "day" : "days"}`;
}

function queueLine({ queue, waiting, inFlight }: Part<"queues">): Told {
  const text = `${queue} ${inThousands(waiting)} waiting, ${inThousands(inFlight)} in flight`;
  return waiting > 0 && NEEDS_SOMEBODY.has(queue) ? lookAt(text) : ok(text);
}

function tenantLines(tenants: readonly Part<"tenants">[]): readonly Told[] {
  if (tenants.length === 0) return [ok("none")];
  const more = tenants.length - TENANTS_SHOWN_MAX;
  return [
    ...tenants.slice(0, TENANTS_SHOWN_MAX).map(tenantLine),
    ...(more > 0 ? [ok(`and ${inThousands(more)} more, which \`tenants list\` shows`)] : []),
  ];
}

const tenantLine = ({ kind, owner, records, newest }: Part<"tenants">): Told => {
  const name = owner === null ? kind : `${kind} ${shortText(shownOwner(owner))}`;
  return ok(`${name} ${inThousands(records)}${newest === null ? "" : `, newest ${newest}`}`);
};

/** What the lines of a status mean together. */
export function stateOf(lines: readonly StatusLine[]): "well" | "attention" | "unknown" {
  if (lines.some(({ mark }) => mark === "look")) return "attention";
  return lines.some(({ mark }) => mark === "not known") ? "unknown" : "well";
}
