import * as z from "zod/mini";
import type { Credential } from "../../lib/auth/credential.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { actorOf } from "../audit/actor.ts";
import type { Context, Result } from "../command.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { isPrinted } from "../terminal/standard-output.ts";
import { instantOrNull, instantText } from "../terminal/write-table.ts";
import { readCredentialRows, shortCredentialId } from "./find-credential.ts";

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

type IssuedJson = z.input<typeof issuedShape>;

/** A new key of {@link issuedShape}, for documents. */
export const issuedExample: IssuedJson = {
  apiKey: "…",
  id: "ramp-key#0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
  owner: "acme",
  label: "payments server",
  scopes: [],
  createdAt: "2026-11-29T09:00:00.000Z",
  expiresAt: "2027-02-27T09:00:00.000Z",
};

/**
 * The members of a new credential that say when it was created and when it expires: as the operator says, but no later
 * than it ends by itself (epoch milliseconds).
 */
export function lifetimeOf(
  { expires }: { readonly expires?: number | undefined },
  ownEnd?: number,
  createdAt = systemClock(),
): Pick<Credential, "createdAt" | "expiresAt"> {
  const ends = [expires ?? [], ownEnd ?? []].flat();
  return { createdAt, ...(ends.length > 0 && { expiresAt: Math.min(...ends) }) };
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
export async function requireNew(store: OperatorStore, { credential }: Issue): Promise<void> {
  const rows = await readCredentialRows(store);
  if (rows.some(({ id }) => id === credential.id)) throw alreadyThere(credential);
}

/**
 * Registers a credential, and shows it with its key if there is one.
 *
 * @param save said of a key that is in force then.
 * @throws {OperatorError} when its id is registered already.
 */
export async function issueCredential(
  issue: Issue,
  { dryRun }: { readonly dryRun: boolean },
  { store: open, line, record }: Context<IssuedJson>,
  save?: string,
): Promise<Result<IssuedJson>> {
  const store = await open();
  if (dryRun) {
    await requireNew(store, issue);
    return { json: rehearsedJson(issue), text: rehearsedText(issue) };
  }
  await storeIssue(store, issue);
  const isInForce = await showIssued(store, issue, line(issuedJson(issue), issuedText(issue)), record);
  const { id, owner } = issue.credential;
  await record({ target: `key ${shortCredentialId(id)} of ${owner}` });
  return isInForce ? { remark: save } : { exitCode: exitCodes.failed };
}

const NOT_TAKEN = "standard output did not take the key";

/**
 * Prints the line of a new credential, before anything else can fail. A key that standard output does not take is lost,
 * because it cannot be shown again: so it is revoked, and the command must fail.
 *
 * @returns whether the credential is in force.
 */
export async function showIssued(
  store: OperatorStore,
  { credential: { id }, apiKey }: Issue,
  line: string,
  record: Context<never>["record"],
): Promise<boolean> {
  if ((await isPrinted(line)) || apiKey === undefined) return true;
  const name = shortCredentialId(id);
  console.error(
    `The new key could not be shown: ${NOT_TAKEN}. Nobody has it, so ${name} is revoked. Run the command again where its output can be read.`,
  );
  try {
    const why = { revokedBy: await actorOf(store), revokedReason: NOT_TAKEN };
    await new CredentialRegister(store.table("Credentials")).revoke(id, systemClock(), why);
  } catch (error) {
    console.error(`${name} could not be revoked, and is in force. Revoke it: \`keys revoke ${name} --yes\`.`);
    throw error;
  }
  await record({ command: "keys revoke", target: `key ${name}`, reason: NOT_TAKEN });
  return false;
}

/** A new credential for programs. */
export function issuedJson({ credential, label, apiKey }: Issue): IssuedJson {
  const { id, owner, scopes, createdAt, expiresAt } = credential;
  return {
    ...(apiKey !== undefined && { apiKey }),
    id,
    owner,
    label: label ?? null,
    scopes: [...scopes],
    createdAt: instantText(createdAt),
    expiresAt: instantOrNull(expiresAt),
  };
}

/** A credential that would be issued, for programs. The key would be another one, and with it the id. */
export function rehearsedJson(issue: Issue): IssuedJson {
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
    expires: instantOrNull(expiresAt) ?? "never",
  });
  return rows.map(([name, value]) => `${name.padEnd(9)}${printable(value)}`).join("\n");
}

const rehearsedText = ({ credential: { kind, owner, expiresAt }, label }: Issue): string => {
  const labelled = label === undefined ? "" : `, labelled "${printable(label)}"`;
  const end = expiresAt === undefined ? "never expires" : `expires on ${instantText(expiresAt)}`;
  return `A ${kind} of ${printable(owner)}${labelled}, which ${end}, would be issued.`;
};
