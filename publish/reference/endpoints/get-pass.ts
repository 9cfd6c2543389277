import { contractBrand } from "../../../lib/brand.ts";
import { getPass, passContractVersions } from "../../../lib/passes/contract.ts";
import { codesOfEvery, describeEndpoint } from "../endpoint-reference.ts";

export const getPassReference = describeEndpoint({
  contract: getPass,
  tag: "Wallet passes",
  title: "Get a pass",
  text: [
    "Returns the latest state of a pass. Send the `ETag` of the last `200` in `If-None-Match`: while the pass is unchanged, the answer is a `304` without a body.",
    "A `404` or a `410` means that the pass is gone: stop polling it. A `429` or a `503` is temporary: repeat the request after `Retry-After` seconds.",
  ],
  parameters: {
    partner_reference: {
      text: "The partner's own reference of the pass, without the prefix `ref:`.",
      example: "demo-1",
    },
  },
  headers: {
    [contractBrand.versionHeader]: {
      text: "Version of the contract that the caller speaks.",
      example: passContractVersions.at(-1) ?? "",
      enum: passContractVersions,
      isRequired: true,
    },
    "If-None-Match": {
      text: "An `ETag` of an earlier `200`, quotes included; a list of them; or `*`.",
      example: '"mB3kq0cS2h1X9aYw"',
      isRequired: false,
    },
  },
  success: {
    text: "The pass, as it was published.",
    schema: "Pass",
    headers: {
      ETag: "Names this state of the pass in this version of the contract (RFC 9110 8.8.3).",
      Vary: "The header that carries the version.",
    },
  },
  notModified: "The pass has not changed since the answer that carried this `ETag`. There is no body.",
  codes: [...codesOfEvery, "unsupported_version", "insufficient_scope", "not_found", "gone"],
  cost: "1 token a request, whether the answer is a `200` or a `304`.",
});
