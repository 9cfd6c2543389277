import { createHash, X509Certificate } from "node:crypto";
import { type Credential, certificateId, jwsKeyId } from "../../lib/auth/credential.ts";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import { getPass, passContractVersions } from "../../lib/passes/contract.ts";
import type { CredentialRegister } from "../credentials/credential-register.ts";
import type { Issuer } from "../identity/issuer.ts";
import type { LocalAuthority } from "../identity/local-authority.ts";
import { claimsOf } from "../identity/local-token.ts";
import { keepPrivateJwk } from "../identity/private-jwk.ts";
import { certificateNames, dataNames } from "../store/data-files.ts";
import { type PrivatePlace, privatePath } from "../store/private-file.ts";
import type { PassesSection } from "./demo-file.ts";
import { type DemoRecords, demoVoidReference, firstOf } from "./demo-records.ts";

/** The one wallet service that polls; the operator's commands mean it as well unless they are told otherwise. */
const WALLET = "wallet";

/** The types of pass of which the demo has one; one of another type would be served like them. */
export const demoPassTypes = ["boarding_pass", "event_pass", "loyalty_pass"] as const;

export interface PassesParts {
  readonly dataDir: PrivatePlace;
  readonly mutualTlsUrl: string;
  readonly brand: Brand;
  readonly issuer: Pick<Issuer, "mintToken">;
  readonly authority: LocalAuthority;
  readonly register: Pick<CredentialRegister, "add">;
  readonly clock: Clock;
  readonly records: Pick<DemoRecords, "passes">;
}

/** The section of the pass callback, its key and certificate registered, with new tokens. */
export async function passesSection(parts: PassesParts): Promise<PassesSection> {
  const { dataDir, mutualTlsUrl, brand, issuer, authority, records } = parts;
  const claims = claimsOf({ wallet: WALLET });
  const signingKey = await keepPassSigningKey(dataDir);
  const client = await authority.keepForClient(certificateNames.client);
  const stranger = await authority.keepForClient(certificateNames.otherClient);
  await register(parts, { id: jwsKeyId(signingKey.kid), kind: "jws", publicKey: signingKey.publicKey });
  await register(parts, { id: idOf(client.certificate), kind: "certificate" });
  return {
    walletId: WALLET,
    audience: claims.audience,
    token: await issuer.mintToken(claims),
    noScopeToken: await issuer.mintToken({ ...claims, scope: "templates.read" }),
    version: String(passContractVersions.at(-1)),
    versionHeader: brand.versionHeader,
    partnerReference: referenceOf(records, "boarding_pass"),
    references: Object.fromEntries(demoPassTypes.map((type) => [type, referenceOf(records, type)])),
    voidReference: demoVoidReference,
    mtls: {
      url: mutualTlsUrl,
      ca: authority.certificateFile,
      cert: client.certificateFile,
      key: client.keyFile,
      otherCert: stranger.certificateFile,
      otherKey: stranger.keyFile,
    },
    jws: { privateKeyFile: signingKey.file, kid: signingKey.kid },
  };
}

/** The first pass of a type in its file that can be read. */
const referenceOf = ({ passes }: PassesParts["records"], wanted: string): string =>
  firstOf(
    passes,
    `pass of the type ${wanted}`,
    ({ partner_reference: reference, type }) => type === wanted && reference !== demoVoidReference,
  ).partner_reference;

/** A store that does not know a credential yet learns it; one that was revoked stays so. */
async function register(
  { register, clock }: PassesParts,
  credential: Pick<Credential, "id" | "kind" | "publicKey">,
): Promise<void> {
  await register.add({ ...credential, owner: WALLET, scopes: [getPass.scope], createdAt: clock() });
}

const idOf = (pem: string): string =>
  certificateId(createHash("sha256").update(new X509Certificate(pem).raw).digest());

/**
 * The key that the demo's wallet signs its requests with: made once, and kept in the data directory. The public key is a JWK
 * with its `alg`, as JSON. Throws a `StartError` when the key's file is there and holds no such key.
 */
export async function keepPassSigningKey(dataDir: PrivatePlace) {
  const name = dataNames.passKey;
  const { kid, kty, crv, x, alg } = await keepPrivateJwk(dataDir, { name, algorithm: "EdDSA" });
  return { file: privatePath(dataDir, name), kid, publicKey: JSON.stringify({ kty, crv, x, alg }) };
}
