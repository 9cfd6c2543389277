import { Failure } from "../errors.ts";
import type { MakePlan } from "../http/plan.ts";
import type { Answer } from "../http/respond.ts";
import { type getPass, passContractVersions } from "./contract.ts";
import { contractVersion } from "./contract-version.ts";
import { entityTag, matchesIfNoneMatch } from "./entity-tag.ts";
import { isPartnerReference } from "./partner-reference.ts";
import type { StoredPass } from "./pass.ts";

/** Reads passes. */
export interface Passes {
  /** A strongly consistent read. When it cannot tell whether there is a pass, it throws. */
  get(partnerReference: string): Promise<StoredPass | undefined>;
}

/**
 * Plans `GET /passes/{partner_reference}` (contract: pass callback, retrieve a pass). An unknown contract version is an
 * `unsupported_version`, and costs nothing.
 *
 * @param versionHeader names the header that selects the version; answers vary with it.
 */
export function planGetPass(passes: Passes, versionHeader: string): MakePlan<typeof getPass> {
  return async ({ path, headers }) => {
    const version = contractVersion(headers, versionHeader, passContractVersions);
    return {
      cost: 1,
      answer: async () => {
        const text = await currentText(passes, path.partner_reference);
        return answerOf(text, entityTag(version, text), {
          versionHeader,
          ifNoneMatch: headers["if-none-match"],
        });
      },
    };
  };
}

/**
 * The current text of a pass. Whether the pass exists is decided before any tag is compared (RFC 9110 13.2.1): the
 * caller stops polling only on a 404 or 410.
 *
 * @throws {Failure} `not_found` when it was never published, `gone` when it was voided.
 */
async function currentText(passes: Passes, partnerReference: string): Promise<string> {
  const pass = isPartnerReference(partnerReference) ? await passes.get(partnerReference) : undefined;
  if (pass === undefined) throw new Failure("not_found", "There is no pass with this reference.");
  if (pass.state === "void") throw new Failure("gone", "The pass is gone for good.");
  return pass.text;
}

/** The pass, or a 304 when the caller already has it. Never compressed: a tag stands for exactly these bytes. */
function answerOf(
  text: string,
  tag: string,
  {
    versionHeader,
    ifNoneMatch,
  }: { readonly versionHeader: string; readonly ifNoneMatch: string | undefined },
): Answer {
  const headers = { ETag: tag, Vary: versionHeader };
  if (matchesIfNoneMatch(ifNoneMatch, tag)) return { notModified: true, headers };
  return { body: text, coding: "identity", headers };
}
