import * as z from "zod/mini";
import { type Credential, isInForce } from "../../lib/auth/credential.ts";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { dayOrNull, instantOrNull } from "../terminal/write-table.ts";

const text = z.nullable(z.string());
const time = z.nullable(jsonTime);

/** A credential as commands print it for programs. A row that cannot be read as one has no kind. */
export const keyShape = z.object({
  id: z.string(),
  kind: text,
  owner: text,
  label: text,
  scopes: z.array(z.string()),
  state: z.enum(["in force", "expired", "revoked", "unreadable"]),
  createdAt: time,
  createdBy: text,
  expiresAt: time,
  /** A day, in UTC; null when no use is known of the last 400 days. */
  lastUsedOn: z.nullable(z.iso.date()),
  revokedAt: time,
  revokedBy: text,
  revokedReason: text,
  /** The id of the key that was issued in its place. */
  successor: text,
});

/** A key of {@link keyShape}, for documents. */
export const keyExample: z.input<typeof keyShape> = {
  id: "ramp-key#0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
  kind: "ramp-key",
  owner: "acme",
  label: "payments server",
  scopes: [],
  state: "in force",
  createdAt: "2026-11-01T09:00:00.000Z",
  createdBy: "arn:aws:sts::123456789012:assumed-role/operators/mara",
  expiresAt: null,
  lastUsedOn: "2026-11-29",
  revokedAt: null,
  revokedBy: null,
  revokedReason: null,
  successor: null,
};

/** Whether a credential counts now (epoch ms), and why not. */
export const stateOf = (credential: Credential, now: number): "in force" | "expired" | "revoked" => {
  if (isInForce(credential, now)) return "in force";
  return credential.revokedAt === undefined ? "expired" : "revoked";
};

/** A row for programs, as it stands now. */
export function keyOf(
  { id, credential, notes }: CredentialRow,
  lastUse: number | undefined,
  now: number,
): z.input<typeof keyShape> {
  return {
    id,
    kind: credential?.kind ?? null,
    owner: credential?.owner ?? null,
    label: notes.label ?? null,
    scopes: [...(credential?.scopes ?? [])],
    state: credential === undefined ? "unreadable" : stateOf(credential, now),
    createdAt: instantOrNull(credential?.createdAt),
    createdBy: notes.createdBy ?? null,
    expiresAt: instantOrNull(credential?.expiresAt),
    lastUsedOn: dayOrNull(lastUse),
    revokedAt: instantOrNull(credential?.revokedAt),
    revokedBy: notes.revokedBy ?? null,
    revokedReason: notes.revokedReason ?? null,
    successor: notes.successor ?? null,
  };
}
