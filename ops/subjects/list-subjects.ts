import * as z from "zod/mini";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { defineCommand } from "../command.ts";
import { readCredentialRows } from "../credentials/find-credential.ts";
import { stageTokenIssuers } from "../store/store.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import { instantText } from "../terminal/write-table.ts";

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

/** `subjects list`: the subjects whose access tokens are refused. */
export const listSubjects = defineCommand({
  words: "subjects list",
  summary: "list the blocked subjects: since when, by whom and why",
  about: `
A block holds for the issuers that the stage trusted when it was made. ISSUER says from which one tokens are refused;
"no longer trusted" marks an issuer whose tokens the stage refuses anyway.`,
  examples: ["ops subjects list", "ops subjects list --json"],
  exits: "listed",
  on: "store",
  json: {
    shape,
    example: [
      {
        subject: "acme",
        issuer: "https://identity.example",
        isTrusted: true,
        blockedAt: "2026-11-29T03:00:00.000Z",
        blockedBy: "arn:aws:sts::123456789012:assumed-role/operators/mara",
        reason: "token leaked",
      },
    ],
  },
  async run(place, { store }) {
    const trusted = stageTokenIssuers(place);
    const blocked = (await readCredentialRows(await store()))
      .flatMap((row) => blockedOf(row, trusted))
      .sort((a, b) => a.subject.localeCompare(b.subject, "en") || (a.issuer < b.issuer ? -1 : 1));
    const rows = blocked.map(({ subject, issuer, isTrusted, blockedAt, blockedBy, reason }) => [
      shownOwner(subject),
      blockedAt,
      blockedBy ?? "-",
      reason ?? "-",
      isTrusted ? issuer : `${issuer} (no longer trusted)`,
    ]);
    const table = { head: ["SUBJECT", "SINCE", "BY", "REASON", "ISSUER"], rows };
    return { json: blocked, text: rows.length === 0 ? "No subject is blocked." : table };
  },
});
