import type { Command } from "commander";
import * as z from "zod/mini";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { commands } from "../../local/installation.ts";
import { readCredentialRows } from "../credentials/find-credential.ts";
import { stageTokenIssuers, withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { addJsonOption, jsonTime, printJson } from "../terminal/json-output.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import { instantText, printTable } from "../terminal/write-table.ts";

const HELP = `
A block holds for the issuers that the stage trusted when it was made. ISSUER says from which one tokens are refused;
"no longer trusted" marks an issuer whose tokens the stage refuses anyway.

Examples:
  ${commands.ops} subjects list
  ${commands.quietOps} subjects list --json

Exit codes: 0 listed, 2 not listed.`;

interface Options extends StoreOptions {
  readonly json?: true;
}

const shape = z.array(
  z.object({
    subject: z.string(),
    issuer: z.string(),
    /** Whether the stage trusts the issuer, so that the block matters. */
    isTrusted: z.boolean(),
    blockedAt: jsonTime,
    blockedBy: z.nullable(z.string()),
    reason: z.nullable(z.string()),
  }),
);

type Blocked = z.infer<typeof shape>[number];

const example: Blocked = {
  subject: "acme",
  issuer: "https://identity.example",
  isTrusted: true,
  blockedAt: "2026-11-29T03:00:00.000Z",
  blockedBy: "arn:aws:sts::123456789012:assumed-role/operators/mara",
  reason: "token leaked",
};

function blockedOf({ id, credential, notes }: CredentialRow, trusted: readonly string[]): Blocked[] {
  if (credential?.kind !== "subject" || credential.revokedAt === undefined) return [];
  const { owner, revokedAt } = credential;
  const issuer = id.slice("subject#".length, -(owner.length + 1));
  return [
    {
      subject: owner,
      issuer,
      isTrusted: trusted.includes(issuer),
      blockedAt: instantText(revokedAt),
      blockedBy: notes.revokedBy ?? null,
      reason: notes.revokedReason ?? null,
    },
  ];
}

async function list(options: Options): Promise<void> {
  const trusted = stageTokenIssuers(options);
  const rows = await withExistingStore(options, ({ table }) =>
    readCredentialRows(new CredentialRegister(table("Credentials"))),
  );
  const blocked = rows
    .flatMap((row) => blockedOf(row, trusted))
    .sort((a, b) => a.subject.localeCompare(b.subject, "en") || (a.issuer < b.issuer ? -1 : 1));
  if (options.json === true) printJson(shape, blocked);
  else if (blocked.length === 0) console.log("No subject is blocked.");
  else
    printTable({
      head: ["SUBJECT", "SINCE", "BY", "REASON", "ISSUER"],
      rows: blocked.map(({ subject, issuer, isTrusted, blockedAt, blockedBy, reason }) => [
        shownOwner(subject),
        blockedAt,
        blockedBy ?? "-",
        reason ?? "-",
        isTrusted ? issuer : `${issuer} (no longer trusted)`,
      ]),
    });
}

/** `subjects list`: the subjects whose access tokens are refused. */
export function listSubjects(group: Command): void {
  const command = addStoreOptions(
    group.command("list").description("list the blocked subjects: since when, by whom and why"),
  );
  addJsonOption(command, shape, [example]).addHelpText("after", HELP).action(list);
}
