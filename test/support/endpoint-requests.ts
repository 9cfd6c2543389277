import { contractBrand } from "../../lib/brand.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { getEvent } from "./bundle-runner.ts";
import { certificateAuthority } from "./certificates.ts";
import { signedEvent } from "./signing.ts";
import type { tokenIssuer } from "./tokens.ts";
import { walletEvent } from "./wallet.ts";

const HOUR_S = 3_600;
const ORDER_ID = "4f9c2f0e-6f0a-4b9e-9a51-0b7d5a0c1e2f";

/**
 * Requests for each endpoint, by its contract's name, that together make every store call that the endpoint can make.
 */
export async function endpointRequests(
  issuer: Awaited<ReturnType<typeof tokenIssuer>>,
  token: { readonly issuer: string; readonly audience: string },
): Promise<Readonly<Record<string, () => readonly unknown[]>>> {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: token.issuer, aud: token.audience, iat, exp: iat + HOUR_S };
  const bearer = { authorization: `Bearer ${await issuer.mint(claims)}` };
  const passToken = await issuer.mint({ ...claims, scope: "passes.read" });
  const { pem } = await (await certificateAuthority()).issue({ notAfter: (iat + HOUR_S) * 1_000 });
  const passHeaders = {
    authorization: `Bearer ${passToken}`,
    [contractBrand.versionHeader.toLowerCase()]: passContractVersions[0],
  };
  return {
    "get-transaction": () => [
      getEvent("/transaction/record-1", bearer, { id: "record-1" }),
      getEvent("/transaction/record-1?id_type=request_id", bearer, { id: "record-1" }),
    ],
    "list-transactions": () => [
      getEvent("/transactions?to=2027-01-01T00:00:00Z", bearer),
      getEvent("/transactions?request_id=request-1&from=2026-11-20&to=2026-12-01", bearer),
    ],
    "get-sell-order": () => [
      getEvent(`/sell-orders/${ORDER_ID}`, { "x-api-key": "A".repeat(43) }, { order_id: ORDER_ID }),
    ],
    "get-pass": () => [walletEvent({ reference: "record-1", headers: passHeaders, certificate: pem })],
    // Signed at the time of the call, because a signature soon expires.
    "list-trades": () => [signedEvent({ now: Date.now() })],
  };
}
