import { fromBase64 } from "../../../client/src/base64.ts";
import { type PrivateJwk, type Sign, signerOf } from "../../../client/src/ed25519.ts";
import { detachedJws, signedHeaders, signedParts } from "../../../client/src/signed-request.ts";
import type { Breakage } from "./breakages.ts";

/** What a request proves its caller with. */
export type Credential =
  | { readonly kind: "none" }
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "api-key"; readonly apiKey: string }
  | {
      readonly kind: "signature";
      readonly apiKey: string;
      readonly privateKey: PrivateJwk;
      /** What the names of the three headers begin with. */
      readonly headerPrefix: string;
    }
  | { readonly kind: "jws"; readonly kid: string; readonly privateKey: PrivateJwk }
  /** A client certificate, which a page cannot choose: the request is for a program. Paths of PEM files. */
  | {
      readonly kind: "certificate";
      readonly url: string;
      readonly ca: string;
      readonly cert: string;
      readonly key: string;
    };

/** The token or key of a credential; undefined for one without. */
export function secretOf(credential: Credential): string | undefined {
  if ("token" in credential) return credential.token;
  return "apiKey" in credential ? credential.apiKey : undefined;
}

/** A credential with another token or key. */
export function withSecret(credential: Credential, secret: string): Credential {
  if ("token" in credential) return { ...credential, token: secret };
  return "apiKey" in credential ? { ...credential, apiKey: secret } : credential;
}

/** The text under a request's signature. */
export interface SignedText {
  /** The text that has to be signed, in its pieces: joined, they are the text byte for byte. */
  readonly pieces: readonly { readonly text: string; readonly meaning: string }[];
  /** The text that was signed; another one where the request was broken on purpose. */
  readonly signed: string;
  /** The protected header of a detached JWS, as JSON. */
  readonly protectedHeader?: string;
}

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signed?: SignedText;
}

/** What a request is made of, beside its credential. */
export interface RequestParts extends Pick<PreparedRequest, "url" | "headers"> {
  readonly breakage: Breakage;
  /** Unix epoch milliseconds. */
  readonly now: number;
  /** A text that no other request has. */
  readonly jti: string;
}

/** The headers of a credential, and the text under their signature where they have one. */
type Proof = Omit<PreparedRequest, "url">;

/** Adds the credential to a request, broken as wanted. A signature is made with the parts of the client's own. */
export async function prepareRequest(credential: Credential, parts: RequestParts): Promise<PreparedRequest> {
  const proof = await proofOf(credential, parts);
  return { ...proof, url: parts.url, headers: { ...parts.headers, ...proof.headers } };
}

function proofOf(credential: Credential, parts: RequestParts): Proof | Promise<Proof> {
  const sent = (secret: string): string => parts.breakage.secretSent?.(secret) ?? secret;
  if (credential.kind === "signature") return signExchange(credential, parts);
  if (credential.kind === "jws") return signPass(credential, parts);
  if (credential.kind === "bearer") return { headers: { Authorization: `Bearer ${sent(credential.token)}` } };
  return { headers: credential.kind === "api-key" ? { "X-API-KEY": sent(credential.apiKey) } : {} };
}

const MEANINGS = [
  "the timestamp, exactly as in its header: epoch milliseconds",
  "the method, in upper case",
  "the path that is requested, percent-decoded",
  "the query exactly as it is sent, without its question mark",
] as const;

async function signExchange(
  { apiKey, privateKey, headerPrefix }: Extract<Credential, { kind: "signature" }>,
  { url, breakage, now }: RequestParts,
): Promise<Proof> {
  const signedAt = now + (breakage.shiftMs ?? 0);
  const parts = signedParts(url, signedAt);
  const other = breakage.textSigned?.(parts);
  const sign = brokenSign(signerOf(privateKey), breakage, other);
  const headers = await signedHeaders(url, { apiKey, headerPrefix, sign }, signedAt);
  const pieces = parts.map((text, at) => ({ text, meaning: MEANINGS[at] ?? "" }));
  return { headers, signed: { pieces, signed: other ?? parts.join("") } };
}

async function signPass(
  { kid, privateKey }: Extract<Credential, { kind: "jws" }>,
  { url, breakage, now, jti }: RequestParts,
): Promise<Proof> {
  const sign = brokenSign(signerOf(privateKey), breakage);
  const jws = await detachedJws(url, { kid, sign }, { now: now + (breakage.shiftMs ?? 0), jti });
  const header = jws.slice(0, jws.indexOf("."));
  const pieces = [
    { text: header, meaning: "the protected header, in base64url" },
    { text: ".", meaning: "a full stop; the payload after it is empty, because a GET has no body" },
  ];
  const signed = {
    pieces,
    signed: `${header}.`,
    protectedHeader: new TextDecoder().decode(fromBase64(header)),
  };
  return { headers: { "Jws-Signature": jws }, signed };
}

/** A signer that breaks its signatures as wanted: over another text, or with another byte. */
const brokenSign =
  (sign: Sign, { signatureSent }: Breakage, text?: string): Sign =>
  async (bytes) => {
    const signature = await sign(text === undefined ? bytes : new TextEncoder().encode(text));
    return signatureSent?.(signature) ?? signature;
  };
