import type { PageCredentials, SessionEndpoint } from "../../../local/page/page-questions.ts";
import type { Credential } from "./prepare-request.ts";

/** A credential to choose for a request. */
export interface CredentialChoice {
  readonly name: string;
  readonly label: string;
  readonly credential: Credential;
}

const choice = (name: string, label: string, credential: Credential): CredentialChoice => ({
  name,
  label,
  credential,
});

const nothing = choice("none", "none", { kind: "none" });

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

const bearer = (name: string, label: string, token: string): CredentialChoice =>
  choice(name, label, { kind: "bearer", token });

const businessTokens = ({ id, otherId, ...tokens }: PageCredentials["business"]) => [
  bearer("good", `access token of ${id}`, tokens.token),
  bearer("other", `access token of ${otherId}, who owns other records`, tokens.otherToken),
  bearer("no-scope", `access token of ${id} without the scope`, tokens.noScopeToken),
];

function rampKeys({ partnerId, apiKey, otherPartnerId, otherApiKey }: PageCredentials["ramp"]) {
  const other = `API key of ${otherPartnerId}, who owns other records`;
  return [
    choice("good", `API key of ${partnerId}`, { kind: "api-key", apiKey }),
    choice("other", other, { kind: "api-key", apiKey: otherApiKey }),
  ];
}

function exchangeKeys({ owner, noScopeApiKey, ...exchange }: PageCredentials["exchange"]) {
  const { apiKey, privateJwk: privateKey, headerPrefix } = exchange;
  const key = { kind: "signature", privateKey, headerPrefix } as const;
  const noScope = `signature of ${owner} with a key without the scope`;
  return [
    choice("good", `signature of ${owner}`, { ...key, apiKey }),
    choice("no-scope", noScope, { ...key, apiKey: noScopeApiKey }),
  ];
}

function passCredentials({ walletId, token, noScopeToken, jws, mtls }: PageCredentials["passes"]) {
  const { url, ca, cert, key, otherCert, otherKey } = mtls;
  const certificate = { kind: "certificate", url, ca } as const;
  const unknown = { ...certificate, cert: otherCert, key: otherKey };
  return [
    bearer("good", `access token of ${walletId}`, token),
    choice("jws", `detached JWS, signed by ${walletId}`, {
      kind: "jws",
      kid: jws.kid,
      privateKey: jws.privateJwk,
    }),
    choice("certificate", "client certificate (mutual TLS)", { ...certificate, cert, key }),
    choice("other-certificate", "client certificate that nobody registered", unknown),
    bearer("no-scope", `access token of ${walletId} without the scope`, noScopeToken),
  ];
}
