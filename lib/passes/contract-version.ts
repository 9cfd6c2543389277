import { Failure } from "../errors.ts";
import type { HttpRequest } from "../http/request.ts";
import { ownMember } from "../own-member.ts";

/**
 * The contract version that a request calls with. Versions are names, compared letter by letter and never read as
 * dates: 30 February would become a day in March.
 *
 * @throws {Failure} `unsupported_version` that names the header and the known versions.
 */
export function contractVersion(
  headers: HttpRequest["headers"],
  header: string,
  versions: readonly string[],
): string {
  const given = ownMember(headers, header.toLowerCase());
  const version = versions.find((known) => known === given);
  if (version !== undefined) return version;
  throw new Failure("unsupported_version", `${header}: must be one of ${versions.join(", ")}.`);
}
