import * as z from "zod/mini";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { systemClock } from "../../lib/clock.ts";
import { parseStoredOwner } from "../arguments/parse-owner-id.ts";
import { defineCommand, type GivenOf, takes } from "../command.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import { type Cell, dayOrNull, dayText } from "../terminal/write-table.ts";
import { readCredentialRows, shortCredentialId } from "./find-credential.ts";
import { keyExample, keyOf, keyShape, stateOf } from "./key-json.ts";
import { type LastUses, readLastUses } from "./last-uses.ts";

/** The kinds that are issued as keys; a subject's row only blocks tokens. */
const KINDS = ["ramp-key", "exchange-key", "jws", "certificate", "certificate-name"] as const;

const wishes = takes({
  "--owner <id>": { text: "only keys of this owner", parse: parseStoredOwner },
  "--kind <kind>": { text: "only keys of this kind", choices: KINDS },
  "--in-force": "only keys that are in force",
});

type Wishes = GivenOf<typeof wishes>;

const isEverything = ({ owner, kind, inForce }: Wishes): boolean =>
  owner === undefined && kind === undefined && !inForce;

/** A row that cannot be read is listed unless something is asked for that it cannot say. */
function isWanted({ credential }: CredentialRow, options: Wishes, now: number): boolean {
  const { owner, kind, inForce } = options;
  if (credential === undefined) return isEverything(options);
  return (
    credential.kind !== "subject" &&
    (owner === undefined || credential.owner === owner) &&
    (kind === undefined || credential.kind === kind) &&
    (!inForce || stateOf(credential, now) === "in force")
  );
}

/** Sorts by owner, then oldest first; rows that cannot be read come before all others. */
function compareRows({ credential: a }: CredentialRow, { credential: b }: CredentialRow): number {
  return (a?.owner ?? "").localeCompare(b?.owner ?? "", "en") || (a?.createdAt ?? 0) - (b?.createdAt ?? 0);
}

function stateCell({ credential, notes }: CredentialRow, now: number): Cell {
  if (credential === undefined) return { text: "cannot be read", tint: "bad" };
  const { expiresAt, revokedAt } = credential;
  const state = stateOf(credential, now);
  if (state === "revoked") return { text: `revoked ${dayText(revokedAt ?? 0)}`, tint: "soft" };
  if (state === "expired") return { text: `expired ${dayText(expiresAt ?? 0)}`, tint: "soft" };
  const end = expiresAt === undefined ? "" : ` until ${dayText(expiresAt)}`;
  return { text: `in force${end}${notes.successor === undefined ? "" : ", replaced"}`, tint: "good" };
}

function cellsOf(row: CredentialRow, lastUses: LastUses, now: number): Cell[] {
  const { id, credential, notes } = row;
  return [
    shortCredentialId(id),
    shownOwner(credential?.owner ?? "-"),
    notes.label ?? "-",
    stateCell(row, now),
    dayOrNull(credential?.createdAt) ?? "-",
    dayOrNull(lastUses.get(id)) ?? "-",
  ];
}

/** `keys list`: every credential that was issued, without any secret. */
export const listKeys = defineCommand({
  words: "keys list",
  summary: "list the keys that were issued: whose they are, whether they are in force, their last use",
  about: `The keys themselves are not stored and cannot be shown. The other commands take the ids as they are shortened here.
LAST USED is the day (UTC) of the last request that was charged to the key's owner. A dash says that no use of the last 400
days is known. Blocked subjects of access tokens are listed by \`subjects list\`.`,
  examples: ["ops keys list --owner acme --in-force", "ops keys list --json"],
  exits: "listed",
  on: "store",
  takes: wishes,
  json: { shape: z.array(keyShape), example: [keyExample] },
  async run(given, { store }) {
    const now = systemClock();
    const opened = await store();
    const all = await readCredentialRows(opened);
    const rows = all.filter((row) => isWanted(row, given, now)).sort(compareRows);
    const credentials = rows.flatMap(({ credential }) => credential ?? []);
    const lastUses = await readLastUses(opened.table("RateLimits"), credentials);
    const none = isEverything(given) ? "There are no keys." : "There are no such keys.";
    const head = ["ID", "OWNER", "LABEL", "STATE", "CREATED", "LAST USED"];
    return {
      json: rows.map((row) => keyOf(row, lastUses.get(row.id), now)),
      text: rows.length === 0 ? none : { head, rows: rows.map((row) => cellsOf(row, lastUses, now)) },
    };
  },
});
