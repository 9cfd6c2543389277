import type { Brand } from "../../lib/brand.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";

/** The headers that carry the credential of each scheme. */
export function credentialHeaders(
  { scheme }: Pick<EndpointContract, "scheme">,
  { headerPrefix }: Pick<Brand, "headerPrefix">,
): readonly string[] {
  if (scheme === "Bearer") return ["Authorization"];
  if (scheme === "ApiKey") return ["X-API-KEY"];
  return ["API-Key", "Timestamp", "Signature"].map((name) => `${headerPrefix}${name}`);
}

/** Those of the names that a request lacks. */
export const missingHeaders = (
  names: readonly string[],
  given: Readonly<Record<string, string>>,
): readonly string[] => names.filter((name) => !Object.hasOwn(given, name.toLowerCase()));
