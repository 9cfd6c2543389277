import * as z from "zod/mini";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { parseExpiry, spanMsOf as parseSpanMs } from "../arguments/parse-expiry.ts";
import { defineCommand } from "../command.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { dayOrNull, instantOrNull, instantText } from "../terminal/write-table.ts";
import {
  lastUseOf,
  lastUseText,
  nameOfRow,
  readCredentialRows,
  rowIn,
  shortCredentialId,
} from "./find-credential.ts";
import {
  issuedExample,
  issuedJson,
  issuedShape,
  issuedText,
  lifetimeOf,
  rehearsedJson,
  requireNew,
  showIssued,
} from "./issue-credential.ts";
import { evidenceTakes } from "./read-evidence.ts";
import {
  endOf,
  issueOf,
  type Rotation,
  requireOverlap,
  requireRotatable,
  rotate,
  type SuccessorOptions,
  spanMsOf,
  successorOf,
} from "./rotation.ts";

const shape = z.extend(issuedShape, {
  /** The old key. Its end is null when the end could not be stored. */
  replaced: z.object({
    id: z.string(),
    expiresAt: z.nullable(jsonTime),
    lastUsedOn: z.nullable(z.iso.date()),
  }),
});

const example: z.input<typeof shape> = {
  ...issuedExample,
  replaced: {
    id: "ramp-key#f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8",
    expiresAt: "2026-12-06T09:00:00.000Z",
    lastUsedOn: "2026-11-29",
  },
};

interface Options extends SuccessorOptions {
  readonly overlap: number;
  readonly expires?: number;
}

function parseOverlap(text: string): number {
  const spanMs = parseSpanMs(text);
  if (spanMs === undefined) throw new RangeError("Give a span such as 12h, 7d or 6w.");
  return spanMs;
}

async function plan(store: OperatorStore, given: string, options: Options): Promise<Rotation> {
  const rows = await readCredentialRows(store);
  const now = systemClock();
  const old = requireRotatable(rowIn(rows, given), rows, now);
  const successor = await successorOf(old.credential, options);
  // A certificate's own end decides; the time that the old certificate had left says nothing about the new one.
  const spanMs = old.credential.kind === "certificate" ? undefined : spanMsOf(old, rows);
  const expires = options.expires ?? (spanMs === undefined ? undefined : now + spanMs);
  const lifetime = lifetimeOf({ expires }, successor.ownEnd, now);
  const rotation = { old, issue: issueOf(old, successor, lifetime), overlapEndsAt: now + options.overlap };
  requireOverlap(rotation);
  return rotation;
}

const endless = ({ old }: Rotation, error: unknown): OperatorError =>
  new OperatorError(
    `The new key works. The end of ${shortCredentialId(old.id)} could not be stored: revoke that key when nothing uses it any longer.`,
    error,
  );

function farewell({ old, issue }: Rotation, { credential }: CredentialRow, isInForce: boolean): string {
  const isToSave = issue.apiKey !== undefined && isInForce;
  const save = isToSave ? "Save the key now: it cannot be shown again.\n" : "";
  const name = nameOfRow(old);
  if (credential?.revokedAt !== undefined) return `${save}${name} was revoked meanwhile, and stays so.`;
  const end = instantText(credential?.expiresAt ?? 0);
  if (!isInForce) return `${name} works until ${end}. Rotate it again before.`;
  return `${save}${name} works until ${end}, beside the new key. \`keys list\` shows when each was last used.`;
}

/** `keys rotate`: issues a new key in place of an old one, which goes on working for a while. */
export const rotateKey = defineCommand({
  words: "keys rotate",
  summary: "issue a new key in place of an old one, which goes on working for a while",
  about: `Issues a new key with the owner, scopes and label of an old one. Both work during the overlap; then the old one ends by
itself. Its end is only ever brought forward. \`keys list\` shows the last use of each: when the old one is used no longer,
\`keys revoke\` ends it earlier.
A ramp key is made here and shown once. For an exchange key give the client's new public key (--public-key), for a key of
the wallet service the new JWK (--jwk), for a certificate the new certificate (--certificate). The new key lives as long as
the old one was issued for, unless --expires says otherwise.
The old key gets an end, which cannot be taken back, so the command asks first; without a terminal it needs --yes.`,
  examples: [
    "ops keys rotate ramp-key#0a1b2c3d4e5f --yes --json",
    "ops keys rotate exchange-key#0a1b2c3d4e5f --public-key public.pem --overlap 30d",
  ],
  exits: { 0: "rotated", 1: "the answer was no", 2: "not rotated, or the old key has no end yet" },
  on: "store",
  takes: {
    "<id>": "the old key's id, or the beginning of its digits",
    "--overlap <span>": {
      text: "how long the old key goes on working",
      parse: parseOverlap,
      default: "7d",
    },
    "--expires <when>": {
      text: "when the new key expires (default: it lives as long as the old one was issued for)",
      parse: (text) => parseExpiry(text, systemClock()),
    },
    "--public-key <file>": "of an exchange key: the client's new public key",
    ...evidenceTakes,
  },
  dryRun: "say what would be issued and what would end, and store nothing",
  asks: true,
  json: { shape, example },
  async run(given, { store: open, confirm, line, record }) {
    const store = await open();
    const rotation = await plan(store, given.id, given);
    const { old, issue } = rotation;
    const lastUse = await lastUseOf(store, old);
    const told = `${nameOfRow(old)}, ${lastUseText(lastUse)}`;
    await requireNew(store, issue);
    const end = endOf(rotation);
    const replacedAt = (endsAt: number | undefined) => ({
      replaced: { id: old.id, expiresAt: instantOrNull(endsAt), lastUsedOn: dayOrNull(lastUse) },
    });
    if (given.dryRun) {
      const expires = instantOrNull(issue.credential.expiresAt) ?? "never";
      return {
        json: { ...rehearsedJson(issue), ...replacedAt(end) },
        text: `${told}, would end on ${instantText(end)}. The new key would expire: ${expires}.`,
      };
    }
    await confirm(`Rotate ${told}? It ends on ${instantText(end)}.`);
    const outcome = await rotate(store, rotation);
    const row = "row" in outcome ? outcome.row : undefined;
    const shown = line(
      { ...issuedJson(issue), ...replacedAt(row?.credential?.expiresAt) },
      issuedText(issue),
    );
    const isInForce = await showIssued(store, issue, shown, record);
    if (row !== undefined) console.error(farewell(rotation, row, isInForce));
    await record({ target: `key ${shortCredentialId(old.id)} by ${shortCredentialId(issue.credential.id)}` });
    if ("error" in outcome && isInForce) throw endless(rotation, outcome.error);
    return isInForce ? {} : { exitCode: 2 };
  },
});
