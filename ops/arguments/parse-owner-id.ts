import {
  isOwnerId,
  isStoredOwner,
  isSubject,
  OWNER_ID_RULE,
  STORED_OWNER_RULE,
  SUBJECT_RULE,
} from "../../lib/id.ts";

const parserOf =
  (isRight: (text: string) => boolean, rule: string) =>
  (text: string): string => {
    if (isRight(text)) return text;
    throw new RangeError(`An id is ${rule}.`);
  };

/** The subject of access tokens, as their issuer spells it. @throws {RangeError} with a message for the operator. */
export const parseSubject = parserOf(isSubject, SUBJECT_RULE);

/** The business or the partner that records or keys are given to. @throws {RangeError} with a message for the operator. */
export const parseOwnerId = parserOf(isOwnerId, OWNER_ID_RULE);

/** A business or a partner that may have been stored, by a looser rule too. @throws {RangeError} as the others do. */
export const parseStoredOwner = parserOf(isStoredOwner, STORED_OWNER_RULE);
