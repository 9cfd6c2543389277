import type { Command } from "commander";
import { type Credential, isInForce } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { systemClock } from "../../lib/clock.ts";
import { readCredentials, shortCredentialId } from "../find-credential.ts";
import { withExistingStore } from "../store.ts";
import { addStoreOptions, type StoreOptions } from "../store-options.ts";
import { instantText, tableText } from "../write-table.ts";

const HELP = `
Keys themselves are not stored and never shown. The id, shortened here, is what \`keys revoke\` takes.
With --json, standard output is one JSON array with whole ids.

Example:
  npm run ops -- keys list

Exit codes: 0 listed, 2 not listed.`;

interface Options extends StoreOptions {
  readonly json?: true;
}

const optionalInstant = (instant: number | undefined) =>
  instant === undefined ? null : instantText(instant);

const asJson = (credentials: readonly Credential[]): string =>
  JSON.stringify(
    credentials.map(({ id, kind, owner, scopes, createdAt, expiresAt, revokedAt }) => ({
      id,
      kind,
      owner,
      scopes,
      createdAt: instantText(createdAt),
      expiresAt: optionalInstant(expiresAt),
      revokedAt: optionalInstant(revokedAt),
    })),
  );

function asTable(credentials: readonly Credential[], now: number): string {
  const rows = credentials.map((credential) => [
    shortCredentialId(credential.id),
    credential.owner,
    isInForce(credential, now) ? "in force" : credential.revokedAt === undefined ? "expired" : "revoked",
    instantText(credential.createdAt),
    optionalInstant(credential.expiresAt) ?? "never",
    optionalInstant(credential.revokedAt) ?? "-",
  ]);
  return tableText([["ID", "OWNER", "STATE", "CREATED", "EXPIRES", "REVOKED"], ...rows]);
}

async function list(options: Options): Promise<void> {
  const credentials = await withExistingStore(options, ({ client, tableName }) =>
    readCredentials(new CredentialRegister(client, tableName("Credentials"))),
  );
  credentials.sort((a, b) => a.owner.localeCompare(b.owner, "en") || a.createdAt - b.createdAt);
  if (options.json === true) console.log(asJson(credentials));
  else if (credentials.length === 0) console.log("There are no keys.");
  else console.log(asTable(credentials, systemClock()));
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
