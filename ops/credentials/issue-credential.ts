import type { Command } from "commander";
import type { Credential } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { parseExpiry } from "../arguments/parse-expiry.ts";
import { withStore } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";
import { OperatorError } from "../terminal/operator-error.ts";
import { instantText } from "../terminal/write-table.ts";

/** The options of every command that issues or registers a credential. */
export interface IssueOptions extends StoreOptions {
  /** Epoch milliseconds. */
  readonly expires?: number;
  readonly json?: true;
}

/** Adds the options of {@link IssueOptions} to a command. */
export const addIssueOptions = (command: Command): Command =>
  addStoreOptions(
    command
      .option(
        "--expires <when>",
        "when the credential expires (default: never)",
        optionOf((text) => parseExpiry(text, systemClock())),
      )
      .option("--json", "print one JSON object, for programs"),
  );

/**
 * The members of a new credential that say when it was created and when it expires: as the operator says, but no later
 * than it ends by itself (epoch milliseconds).
 */
export function lifetimeOf(
  { expires }: Pick<IssueOptions, "expires">,
  ownEnd?: number,
): Pick<Credential, "createdAt" | "expiresAt"> {
  const ends = [expires ?? [], ownEnd ?? []].flat();
  return { createdAt: systemClock(), ...(ends.length > 0 && { expiresAt: Math.min(...ends) }) };
}

export interface Issue {
  readonly credential: Credential;
  /** The new key whose hash the credential holds. The key is shown only now. */
  readonly apiKey?: string;
  /** Members of the credential that are printed besides id, owner and times. */
  readonly shown?: readonly "scopes"[];
}

/**
 * Registers a credential and prints it, with its key if there is one.
 *
 * @throws {OperatorError} when its id is registered already.
 */
export async function issueCredential(issue: Issue, options: IssueOptions): Promise<void> {
  const { credential } = issue;
  await withStore(options, async ({ table }) => {
    if (await new CredentialRegister(table("Credentials")).add(credential)) return;
    throw new OperatorError(
      `${credential.id} is registered already, perhaps as a revoked key. \`keys list\` shows it.`,
    );
  });
  console.log(textOf(issue, options.json === true));
}

function textOf({ credential, apiKey, shown = [] }: Issue, asJson: boolean): string {
  const { id, owner, scopes, createdAt, expiresAt } = credential;
  const known = {
    ...(apiKey !== undefined && { apiKey }),
    id,
    owner,
    ...(shown.includes("scopes") && { scopes }),
  };
  const expires = expiresAt === undefined ? null : instantText(expiresAt);
  if (asJson) return JSON.stringify({ ...known, createdAt: instantText(createdAt), expiresAt: expires });
  const rows = Object.entries({ ...known, expires: expires ?? "never" });
  return rows.map(([name, value]) => `${name.padEnd(9)}${printable([value].flat().join(" "))}`).join("\n");
}
