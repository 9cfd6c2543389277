import { contractBrand } from "../../lib/brand.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import type { Tag } from "../../local/endpoints/endpoint-reference.ts";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
import { getEvent } from "./bundle-runner.ts";
import { certificateAuthority } from "./certificates.ts";
import { signedEvent } from "./signing.ts";
import type { tokenIssuer } from "./tokens.ts";
import { walletEvent } from "./wallet.ts";

const HOUR_S = 3_600;

type Parameters = Readonly<Record<string, string>>;

/**
 * Requests for each endpoint, by its contract's name, that together make every store call that the endpoint can make:
 * those that the reference shows.
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
  const eventOf: Readonly<Record<Tag, (target: string, parameters: Parameters) => unknown>> = {
    "Business accounts": (target, parameters) => getEvent(target, bearer, parameters),
    "Wallet passes": (_, { partner_reference: reference = "" }) =>
      walletEvent({ reference, headers: passHeaders, certificate: pem }),
    // Signed at the time of the call, because a signature soon expires; up to now, whenever the example's window was.
    Exchange: (target) =>
      signedEvent({ path: target.split("?")[0] ?? "", rawQuery: "limit=10", now: Date.now() }),
    Ramp: (target, parameters) => getEvent(target, { "x-api-key": "A".repeat(43) }, parameters),
  };
  return Object.fromEntries(
    endpointReferences.map(({ contract, tag, examples }) => {
      const route = new RegExp(`^${contract.route.replaceAll(/\{([^}]+)\}/g, "(?<$1>[^/]+)")}$`);
      const parametersOf = (target: string): Parameters => ({
        ...route.exec(target.split("?")[0] ?? "")?.groups,
      });
      const targets = Object.values(examples.good);
      return [contract.name, () => targets.map((target) => eventOf[tag](target, parametersOf(target)))];
    }),
  );
}
