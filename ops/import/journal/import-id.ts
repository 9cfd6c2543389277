import { randomInt } from "node:crypto";

/** Digits and letters that are not taken for one another when somebody reads an id out. */
const SAYABLE = "23456789abcdefghjkmnpqrstuvwxyz";
const RANDOM_LENGTH = 4;

/** A new id of an import that begins now (epoch ms), such as `imp-20261129-k7f3`; ids sort by their day, in UTC. */
export function newImportId(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
  const random = Array.from({ length: RANDOM_LENGTH }, () => SAYABLE[randomInt(SAYABLE.length)]).join("");
  return `imp-${day}-${random}`;
}

/** The id that an operator gave. @throws {RangeError} with a message for the operator. */
export function parseImportId(text: string): string {
  const id = text.trim().toLowerCase();
  if (/^imp-\d{8}-[a-z0-9]{4}$/.test(id)) return id;
  throw new RangeError(
    "An import has an id such as imp-20261129-k7f3, told at its end; `import list` shows the ids.",
  );
}
