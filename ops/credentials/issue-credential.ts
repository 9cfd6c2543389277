import type { Command } from "commander";
import * as z from "zod/mini";
import type { Credential } from "../../lib/auth/credential.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { parseLabel } from "../arguments/label.ts";
import { parseExpiry } from "../arguments/parse-expiry.ts";
import { unquoted } from "../arguments/unquoted.ts";
import { actorOf } from "../audit/actor.ts";
import { recordChange } from "../audit/record-change.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withStore, withStoreToLookAt } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, jsonText, jsonTime, printJson } from "../terminal/json-output.ts";
import { instantText } from "../terminal/write-table.ts";
import { readCredentialRows, shortCredentialId } from "./find-credential.ts";
import { timeOf } from "./key-json.ts";
import { showIssued } from "./show-issued.ts";

/** The options of every command that issues or registers a credential. */
export interface IssueOptions extends StoreOptions {
  /** Epoch milliseconds. */
  readonly expires?: number;
  readonly label?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** A new credential as commands print it for programs. A dry run makes no key, so it shows neither key nor id of one. */
export const issuedShape = z.object({
  /** The key itself, which is shown only now. */
  apiKey: z.optional(z.string()),
  id: z.optional(z.string()),
  owner: z.string(),
  label: z.nullable(z.string()),
  scopes: z.array(z.string()),
  createdAt: jsonTime,
  expiresAt: z.nullable(jsonTime),
});

/** A new key of {@link issuedShape}, for documents. */
export const issuedExample: z.input<typeof issuedShape> = {
  apiKey: "…",
  id: "ramp-key#0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
  owner: "acme",
  label: "payments server",
  scopes: [],
  createdAt: "2026-11-29T09:00:00.000Z",
  expiresAt: "2027-02-27T09:00:00.000Z",
};

/** Adds the options of {@link IssueOptions} to a command. */
export function addIssueOptions(command: Command): Command {
  const all = addStoreOptions(
    command
      .option(
        "--expires <when>",
        "when the credential expires (default: never)",
        optionOf((text) => parseExpiry(text, systemClock())),
      )
      .option(
        "--label <text>",
        "one line that tells it from others of its owner",
        unquoted("--label", parseLabel),
      )
      .option("--dry-run", "say what would be issued, and store nothing"),
  );
  return addJsonOption(all, issuedShape, issuedExample);
}

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
  readonly label?: string | undefined;
  /** The new key whose hash the credential holds. The key is shown only now. */
  readonly apiKey?: string;
}

const alreadyThere = ({ id }: Credential): OperatorError =>
  new OperatorError(`${id} is registered already, perhaps as a revoked key. \`keys list\` shows it.`);

/** Stores a new credential. @throws {OperatorError} when its id is registered already. */
export async function storeIssue(store: OperatorStore, { credential, label }: Issue): Promise<void> {
  const notes = { createdBy: await actorOf(store), ...(label !== undefined && { label }) };
  if (!(await new CredentialRegister(store.table("Credentials")).add(credential, notes)))
    throw alreadyThere(credential);
}

/** Looks whether a credential could be stored. @throws {OperatorError} when its id is registered already. */
export async function requireNew({ table }: OperatorStore, { credential }: Issue): Promise<void> {
  const rows = await readCredentialRows(new CredentialRegister(table("Credentials")));
  if (rows.some(({ id }) => id === credential.id)) throw alreadyThere(credential);
}

/**
 * Registers a credential and prints it, with its key if there is one.
 *
 * @param command the words of the command, for the audit.
 * @returns whether a credential is in force now.
 * @throws {OperatorError} when its id is registered already.
 */
export async function issueCredential(
  command: string,
  given: Issue,
  options: IssueOptions,
): Promise<boolean> {
  const { label, dryRun, json } = options;
  const issue = { ...given, label };
  if (dryRun === true) {
    await withStoreToLookAt(options, (store) => requireNew(store, issue));
    if (json === true) printJson(issuedShape, rehearsedJson(issue));
    else console.log(rehearsedText(issue));
    return false;
  }
  return await withStore(options, async (store) => {
    await storeIssue(store, issue);
    // The key is shown before anything else can fail, because it cannot be shown again.
    const line = json === true ? jsonText(issuedShape, issuedJson(issue)) : issuedText(issue);
    const { id, owner } = issue.credential;
    const isInForce = await showIssued(store, { id, apiKey: issue.apiKey }, line);
    await recordChange(store, { command, target: `key ${shortCredentialId(id)} of ${owner}` });
    return isInForce;
  });
}

/** A new credential for programs. */
export function issuedJson({ credential, label, apiKey }: Issue): z.input<typeof issuedShape> {
  const { id, owner, scopes, createdAt, expiresAt } = credential;
  return {
    ...(apiKey !== undefined && { apiKey }),
    id,
    owner,
    label: label ?? null,
    scopes: [...scopes],
    createdAt: instantText(createdAt),
    expiresAt: timeOf(expiresAt),
  };
}

/** A credential that would be issued, for programs. The key would be another one, and with it the id. */
export function rehearsedJson(issue: Issue): z.input<typeof issuedShape> {
  const { apiKey, id, ...rest } = issuedJson(issue);
  return apiKey === undefined && id !== undefined ? { id, ...rest } : rest;
}

/** A new credential for people: its key, if there is one, and whose it is. */
export function issuedText({ credential, label, apiKey }: Issue): string {
  const { id, owner, scopes, expiresAt } = credential;
  const rows = Object.entries({
    ...(apiKey !== undefined && { apiKey }),
    id,
    owner,
    ...(label !== undefined && { label }),
    ...(scopes.length > 0 && { scopes: scopes.join(" ") }),
    expires: timeOf(expiresAt) ?? "never",
  });
  return rows.map(([name, value]) => `${name.padEnd(9)}${printable(value)}`).join("\n");
}

const rehearsedText = ({ credential: { kind, owner, expiresAt }, label }: Issue): string => {
  const labelled = label === undefined ? "" : `, labelled "${printable(label)}"`;
  const end = expiresAt === undefined ? "never expires" : `expires on ${instantText(expiresAt)}`;
  return `A ${kind} of ${printable(owner)}${labelled}, which ${end}, would be issued.`;
};
