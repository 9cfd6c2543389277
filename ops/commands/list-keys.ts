import type { Command } from "commander";
import { type Credential, isInForce } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { readCredentialRows, shortCredentialId } from "../credentials/find-credential.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { instantText, tableText, terminalWidth } from "../terminal/write-table.ts";

const HELP = `
The keys themselves are not stored and cannot be shown. \`keys revoke\` takes the ids as they are shortened here.
With --json, standard output is one JSON array with whole ids.

Example:
  ${commands.ops} keys list

Exit codes: 0 listed, 2 not listed.`;

interface Options extends StoreOptions {
  readonly json?: true;
}

const optionalInstant = (instant: number | undefined) =>
  instant === undefined ? null : instantText(instant);

/** A row that cannot be read is listed by its id, so that an operator can find and revoke it. */
const asJson = (rows: readonly CredentialRow[]): string =>
  JSON.stringify(rows.map(({ id, credential }) => (credential ? membersOf(credential) : { id, kind: null })));

const membersOf = ({ id, kind, owner, scopes, createdAt, expiresAt, revokedAt }: Credential) => ({
  id,
  kind,
  owner,
  scopes,
  createdAt: instantText(createdAt),
  expiresAt: optionalInstant(expiresAt),
  revokedAt: optionalInstant(revokedAt),
});

function asTable(rows: readonly CredentialRow[], now: number): string {
  const cells = rows.map(({ id, credential }) => [
    shortCredentialId(id),
    ...(credential ? cellsOf(credential, now) : ["-", "cannot be read", "-", "-", "-"]),
  ]);
  const head = ["ID", "OWNER", "STATE", "CREATED", "EXPIRES", "REVOKED"];
  return tableText({ head, rows: cells }, terminalWidth());
}

const cellsOf = (credential: Credential, now: number): string[] => [
  credential.owner,
  isInForce(credential, now) ? "in force" : credential.revokedAt === undefined ? "expired" : "revoked",
  instantText(credential.createdAt),
  optionalInstant(credential.expiresAt) ?? "never",
  optionalInstant(credential.revokedAt) ?? "-",
];

/** Sorts by owner, then oldest first; rows that cannot be read come before all others. */
function compareRows({ credential: a }: CredentialRow, { credential: b }: CredentialRow): number {
  return (a?.owner ?? "").localeCompare(b?.owner ?? "", "en") || (a?.createdAt ?? 0) - (b?.createdAt ?? 0);
}

async function list(options: Options): Promise<void> {
  const rows = await withExistingStore(options, ({ table }) =>
    readCredentialRows(new CredentialRegister(table("Credentials"))),
  );
  rows.sort(compareRows);
  if (options.json === true) console.log(asJson(rows));
  else if (rows.length === 0) console.log("There are no keys.");
  else console.log(asTable(rows, systemClock()));
}

/** `keys list`: every credential that was issued, without any secret. */
export function listKeys(group: Command): void {
  addStoreOptions(
    group
      .command("list")
      .description("list the keys that were issued, and whether they are in force")
      .option("--json", "print one JSON array, for programs"),
  )
    .addHelpText("after", HELP)
    .action(list);
}
