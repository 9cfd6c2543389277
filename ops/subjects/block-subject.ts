import * as z from "zod/mini";
import { subjectId } from "../../lib/auth/credential.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { parseSubject } from "../arguments/parse-owner-id.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { actorOf } from "../audit/actor.ts";
import { defineCommand } from "../command.ts";
import { readCredentialRows } from "../credentials/find-credential.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { stageTokenIssuers } from "../store/store.ts";

/** Blocks a subject, by a row for each issuer. */
async function block(store: OperatorStore, subject: string, ids: readonly string[], reason?: string) {
  const now = systemClock();
  const row = { kind: "subject", owner: subject, scopes: [], createdAt: now, revokedAt: now } as const;
  const by = await actorOf(store);
  const notes = { createdBy: by, revokedBy: by, ...(reason !== undefined && { revokedReason: reason }) };
  const register = new CredentialRegister(store.table("Credentials"));
  // A row that is there already stays as it is: it says since when the subject has been blocked.
  for (const id of ids) await register.add({ ...row, id }, notes);
}

async function allow(store: OperatorStore, ids: readonly string[]): Promise<void> {
  const register = new CredentialRegister(store.table("Credentials"));
  for (const id of ids) await register.remove(id);
}

const subjectCommand = (isBlocked: boolean, words: string, summary: string) =>
  defineCommand({
    words,
    summary,
    about: `
A subject is the \`sub\` of access tokens: a business, or the wallet service. Within five seconds after a block, all
tokens of the subject are refused, from every issuer that the stage trusts. Tokens that are issued later are refused as
well, until the subject is allowed again. The subject's records stay. \`subjects list\` shows who is blocked.`,
    examples: ['ops subjects block acme --reason "token leaked"', "ops subjects allow acme"],
    exits: "done",
    on: "store, made if missing",
    takes: {
      "<subject>": { text: "the `sub` of the tokens", parse: parseSubject },
      "--reason <text>": { text: "why, for the other operators", parse: parseReason, isUnquoted: true },
    },
    dryRun: "say what would change, and change nothing",
    json: {
      shape: z.object({
        subject: z.string(),
        isBlocked: z.boolean(),
        /** Whether this command has changed it; with --dry-run, whether it would. */
        isChanged: z.boolean(),
      }),
      example: { subject: "acme", isBlocked, isChanged: true },
    },
    async run({ subject, reason, dryRun, ...place }, { store: open }) {
      const store = await open(isBlocked || dryRun ? undefined : "something to be there");
      const ids = stageTokenIssuers(place).map((issuer) => subjectId(issuer, subject));
      const found = (await readCredentialRows(store)).filter(({ id }) => ids.includes(id));
      const isChanged = isBlocked ? found.length < ids.length : found.length > 0;
      // Rows are written even if they seem right: somebody may be changing them.
      if (!dryRun) await (isBlocked ? block(store, subject, ids, reason) : allow(store, ids));
      const verb = `${dryRun ? "would be" : "are"} ${isBlocked ? "refused" : "accepted"}`;
      const note = isChanged ? (dryRun ? "" : " (within five seconds)") : ", as before";
      return {
        json: { subject, isBlocked, isChanged },
        text: `Tokens of ${printable(subject)} ${verb}${note}.`,
        audit: isChanged ? { target: `subject ${subject}` } : undefined,
      };
    },
  });

/** `subjects block`: refuses every access token of a subject. */
export const blockSubject = subjectCommand(true, "subjects block", "refuse every access token of a subject");

/** `subjects allow`: accepts the access tokens of a blocked subject again. */
export const allowSubject = subjectCommand(
  false,
  "subjects allow",
  "accept the access tokens of a blocked subject again",
);
