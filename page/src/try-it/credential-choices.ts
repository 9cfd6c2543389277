import type { PageCredentials, SessionEndpoint } from "../../../local/page/page-questions.ts";
import type { Credential } from "./prepare-request.ts";

/** A credential to choose for a request. */
export interface CredentialChoice {
  readonly name: string;
  readonly label: string;
  readonly credential: Credential;
}

const nothing: CredentialChoice = { name: "none", label: "none", credential: { kind: "none" } };

/** The credentials that the demo has for an endpoint: the good one first, and the ones that are refused behind it. */
export function credentialChoices(
  { name, scheme }: Pick<SessionEndpoint, "name" | "scheme">,
  credentials: PageCredentials,
): readonly CredentialChoice[] {
  if (scheme === "Signature") return [...exchangeKeys(credentials.exchange), nothing];
  if (scheme === "ApiKey") return [...rampKeys(credentials.ramp), nothing];
  const isPass = holderOf({ name }) === "wallet";
  return [...(isPass ? passCredentials(credentials.passes) : businessTokens(credentials.business)), nothing];
}

/** Whose tokens an endpoint takes. */
export const holderOf = ({ name }: Pick<SessionEndpoint, "name">): "business" | "wallet" =>
  name === "get-pass" ? "wallet" : "business";

const bearer = (name: string, label: string, token: string): CredentialChoice => ({
  name,
  label,
  credential: { kind: "bearer", token },
});

const businessTokens = ({ id, otherId, ...tokens }: PageCredentials["business"]) => [
  bearer("good", `access token of ${id}`, tokens.token),
  bearer("other", `access token of ${otherId}, who owns other records`, tokens.otherToken),
  bearer("no-scope", `access token of ${id} without the scope`, tokens.noScopeToken),
];

const rampKeys = (ramp: PageCredentials["ramp"]): readonly CredentialChoice[] => [
  {
    name: "good",
    label: `API key of ${ramp.partnerId}`,
    credential: { kind: "api-key", apiKey: ramp.apiKey },
  },
  {
    name: "other",
    label: `API key of ${ramp.otherPartnerId}, who owns other records`,
    credential: { kind: "api-key", apiKey: ramp.otherApiKey },
  },
];

function exchangeKeys({
  owner,
  apiKey,
  noScopeApiKey,
  privateJwk,
  headerPrefix,
}: PageCredentials["exchange"]) {
  const signed = (name: string, label: string, key: string): CredentialChoice => ({
    name,
    label,
    credential: { kind: "signature", apiKey: key, privateKey: privateJwk, headerPrefix },
  });
  return [
    signed("good", `signature of ${owner}`, apiKey),
    signed("no-scope", `signature of ${owner} with a key without the scope`, noScopeApiKey),
  ];
}

function passCredentials({ walletId, token, noScopeToken, jws, mtls }: PageCredentials["passes"]) {
  const { url, ca } = mtls;
  const choices: readonly CredentialChoice[] = [
    bearer("good", `access token of ${walletId}`, token),
    {
      name: "jws",
      label: `detached JWS, signed by ${walletId}`,
      credential: { kind: "jws", kid: jws.kid, privateKey: jws.privateJwk },
    },
    {
      name: "certificate",
      label: "client certificate (mutual TLS)",
      credential: { kind: "certificate", url, ca, cert: mtls.cert, key: mtls.key },
    },
    {
      name: "other-certificate",
      label: "client certificate that nobody registered",
      credential: { kind: "certificate", url, ca, cert: mtls.otherCert, key: mtls.otherKey },
    },
    bearer("no-scope", `access token of ${walletId} without the scope`, noScopeToken),
  ];
  return choices;
}
