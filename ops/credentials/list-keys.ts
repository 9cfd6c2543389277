import { type Command, Option } from "commander";
import * as z from "zod/mini";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { systemClock } from "../../lib/clock.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { commands } from "../../local/installation.ts";
import { parseStoredOwner } from "../arguments/parse-owner-id.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import { type Cell, dayText, printTable } from "../terminal/write-table.ts";
import { readCredentialRows, shortCredentialId } from "./find-credential.ts";
import { dayOrNull, keyExample, keyOf, keyShape, stateOf } from "./key-json.ts";
import { type LastUses, readLastUses } from "./last-uses.ts";

const HELP = `
The keys themselves are not stored and cannot be shown. The other commands take the ids as they are shortened here.
LAST USED is the day (UTC) of the last request that was charged to the key's owner. A dash says that no use of the last 400
days is known. Blocked subjects of access tokens are listed by \`subjects list\`.

Examples:
  ${commands.ops} keys list --owner acme --in-force
  ${commands.quietOps} keys list --json

Exit codes: 0 listed, 2 not listed.`;

/** The kinds that are issued as keys; a subject's row only blocks tokens. */
const KINDS = ["ramp-key", "exchange-key", "jws", "certificate", "certificate-name"] as const;

interface Options extends StoreOptions {
  readonly owner?: string;
  readonly kind?: (typeof KINDS)[number];
  readonly inForce?: true;
  readonly json?: true;
}

const shape = z.array(keyShape);

const isEverything = ({ owner, kind, inForce }: Options): boolean =>
  [owner, kind, inForce].every((wish) => wish === undefined);

/** A row that cannot be read is listed unless something is asked for that it cannot say. */
function isWanted({ credential }: CredentialRow, options: Options, now: number): boolean {
  const { owner, kind, inForce } = options;
  if (credential === undefined) return isEverything(options);
  return (
    credential.kind !== "subject" &&
    (owner === undefined || credential.owner === owner) &&
    (kind === undefined || credential.kind === kind) &&
    (inForce === undefined || stateOf(credential, now) === "in force")
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

async function list(options: Options): Promise<void> {
  const now = systemClock();
  const { rows, lastUses } = await withExistingStore(options, async ({ table }) => {
    const all = await readCredentialRows(new CredentialRegister(table("Credentials")));
    const wanted = all.filter((row) => isWanted(row, options, now)).sort(compareRows);
    const credentials = wanted.flatMap(({ credential }) => credential ?? []);
    return { rows: wanted, lastUses: await readLastUses(table("RateLimits"), credentials) };
  });
  if (options.json === true)
    printJson(
      shape,
      rows.map((row) => keyOf(row, lastUses.get(row.id), now)),
    );
  else if (rows.length === 0)
    console.log(isEverything(options) ? "There are no keys." : "There are no such keys.");
  else
    printTable({
      head: ["ID", "OWNER", "LABEL", "STATE", "CREATED", "LAST USED"],
      rows: rows.map((row) => cellsOf(row, lastUses, now)),
    });
}

/** `keys list`: every credential that was issued, without any secret. */
export function listKeys(group: Command): void {
  const command = addStoreOptions(
    group
      .command("list")
      .description(
        "list the keys that were issued: whose they are, whether they are in force, their last use",
      )
      .option("--owner <id>", "only keys of this owner", optionOf(parseStoredOwner))
      .addOption(new Option("--kind <kind>", "only keys of this kind").choices(KINDS))
      .option("--in-force", "only keys that are in force"),
  );
  addJsonOption(command, shape, [keyExample]).addHelpText("after", HELP).action(list);
}
