import { SqsError } from "./fauxqs.ts";

const ENTRIES_MAX = 10;
const ENTRY_ID = /^[\w-]{1,80}$/;

interface Entry {
  readonly Id?: string;
}

/** Requires what the entries of each batch must be. @throws {SqsError} for the first rule that they break. @param members that each must have beside `Id`. */
export function requireEntries(entries: readonly Entry[], members: readonly string[] = []): void {
  if (entries.length === 0)
    throw new SqsError("EmptyBatchRequest", "There should be at least one entry in the request.");
  if (entries.length > ENTRIES_MAX)
    throw new SqsError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${ENTRIES_MAX}. You have sent ${entries.length}.`,
    );
  for (const [at, entry] of entries.entries())
    for (const member of ["Id", ...members])
      if (!Object.hasOwn(entry, member))
        throw new SqsError(
          "MissingParameter",
          `The request must contain the parameter Entries[${at}].${member}.`,
        );
  const strange = entries.find(({ Id = "" }) => !ENTRY_ID.test(Id));
  if (strange !== undefined)
    throw new SqsError(
      "InvalidBatchEntryId",
      "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
    );
  const twice = entries.find(({ Id }, at) => entries.findIndex((other) => other.Id === Id) < at);
  if (twice !== undefined) throw new SqsError("BatchEntryIdsNotDistinct", `Id ${twice.Id} repeated.`);
}
