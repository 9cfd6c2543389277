import { INVISIBLE } from "../../lib/id.ts";

const EACH_UNSEEN = new RegExp(`${INVISIBLE.source}|^ +| +$`, "gu");

/** An owner with whatever nobody sees spelled out: names of earlier releases may have spaces at an end, or invisible characters. */
export const shownOwner = (owner: string): string =>
  owner.replace(EACH_UNSEEN, (unseen) =>
    Array.from(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join(""),
  );
