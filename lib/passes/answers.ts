import type { Call } from "../http/call.ts";
import type { Answer } from "../http/respond.ts";
import { type getPass as contract, passContractVersions } from "./contract.ts";
import { contractVersion } from "./contract-version.ts";
import { getPass, type Passes } from "./get-pass.ts";

/** Refuses a request for a contract version that there is none of. `versionHeader` names the header that carries it. */
export function checkPassVersion(versionHeader: string) {
  return async ({ request }: Call<typeof contract>): Promise<void> => {
    contractVersion(request, versionHeader, passContractVersions);
  };
}

/** Answers `GET /passes/{partner_reference}`. */
export function answerPass(passes: Passes, versionHeader: string) {
  return ({ path, request }: Call<typeof contract>): Promise<Answer> =>
    getPass(passes, {
      partnerReference: path.partner_reference,
      version: contractVersion(request, versionHeader, passContractVersions),
      ifNoneMatch: request.headers["if-none-match"],
      versionHeader,
    });
}
