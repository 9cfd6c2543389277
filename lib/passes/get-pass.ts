import { Failure } from "../errors.ts";
import type { Answer } from "../http/respond.ts";
import { entityTag, namesTag } from "./entity-tag.ts";
import { isPartnerReference } from "./partner-reference.ts";
import type { StoredPass } from "./pass.ts";

/** What is asked for: a pass as one contract version shows it, unless the caller has it already. */
export interface PassQuery {
  readonly partnerReference: string;
  readonly version: string;
  readonly ifNoneMatch: string | undefined;
  /** Name of the header that chose the version, which the answer varies with. */
  readonly versionHeader: string;
}

export interface Passes {
  /** A strongly consistent read; it fails rather than say that there is none when it does not know. */
  find(partnerReference: string): Promise<StoredPass | undefined>;
}

/**
 * The current state of a pass (contract: pass callback, retrieve a pass). Whether it exists is decided before any tag
 * is looked at (RFC 9110 13.2.1): the caller stops polling on a 404 or 410, and on nothing else.
 *
 * @throws {Failure} `not_found` when it was never published, `gone` when it was voided.
 */
export async function getPass(passes: Passes, query: PassQuery): Promise<Answer> {
  const pass = isPartnerReference(query.partnerReference)
    ? await passes.find(query.partnerReference)
    : undefined;
  if (pass === undefined) throw new Failure("not_found", "There is no pass with this reference.");
  if (pass.state === "void") throw new Failure("gone", "The pass is gone for good.");
  const tag = entityTag(query.version, pass.text);
  const headers = { ETag: tag, Vary: query.versionHeader };
  if (namesTag(query.ifNoneMatch, tag)) return { notModified: true, headers };
  return { body: pass.text, coding: "identity", headers };
}
