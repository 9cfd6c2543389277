import { createHash } from "node:crypto";
import type { Item } from "../dynamo/item.ts";
import { ownMember } from "../own-member.ts";

const DAY_MS = 86_400_000;

/** Enough to tell an owner's credentials apart, and few, because a limit's item is to stay within 1 KB. */
const DIGITS = 12;

/**
 * The number of an instant's day (epoch ms), counted from 1970 in UTC. A day is enough to decide whether a key may go, and
 * says less of a partner's habits than an instant.
 */
export const dayOf = (epochMs: number): number => Math.floor(epochMs / DAY_MS);

/** The attribute of a limit's item in which the day of a credential's last use is kept, by the credential's id. */
export const lastUseAttribute = (credentialId: string): string =>
  `u_${createHash("sha256").update(credentialId).digest("hex").slice(0, DIGITS)}`;

/** The first instant (epoch ms) of the day on which a limit's item was last charged for a credential. */
export function lastUseIn(item: Item | undefined, credentialId: string): number | undefined {
  const day = ownMember(item, lastUseAttribute(credentialId))?.N;
  return day === undefined ? undefined : Number(day) * DAY_MS;
}
