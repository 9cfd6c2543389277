import type { KeyObject } from "node:crypto";
import { isExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import type { Brand } from "../../lib/brand.ts";
import { ownMember } from "../../lib/own-member.ts";
import { ambiguityOf, decodeSignature, type SignedParts } from "../../lib/signature/canonical-request.ts";
import { isSignatureOf, readPublicKey, SIGNATURE_BYTES } from "../../lib/signature/ed25519.ts";
import { explainFreshness, judgeFreshness } from "../../lib/signature/freshness.ts";
import type { FreshnessLimits } from "../../lib/signature/settings.ts";
import { candidateTexts } from "./candidate-texts.ts";
import { partsOfUrl } from "./sign-request.ts";

/** A request that failed, as its sender knows it. */
export interface FailedRequest {
  readonly method: string;
  readonly url: string;
  /** Headers as they were sent, in any case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
}

export interface ExplainParts {
  readonly brand: Pick<Brand, "headerPrefix" | "basePath">;
  readonly freshness: FreshnessLimits;
  /** The public keys to try, the registered one first: each as 64 hex digits, and how findings name it. */
  readonly publicKeys: readonly { readonly hex: string; readonly what: string }[];
  /** When the server judged the request, in epoch milliseconds: the `timestamp` of its answer, or now. */
  readonly judgedAt: number;
}

/** The faults of a request, in the order in which to mend them. Empty when its signature and its time are right. */
export function explainSignature(request: FailedRequest, parts: ExplainParts): readonly string[] {
  const headers = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const find = (name: string) => headers.get(`${parts.brand.headerPrefix}${name}`.toLowerCase());
  const [apiKey, timestamp, signature] = [find("API-Key"), find("Timestamp"), find("Signature")];
  const findings = [
    ...explainHeaders({ apiKey, timestamp, signature }, headers, parts.brand.headerPrefix),
    ...(apiKey === undefined ? [] : explainApiKey(apiKey)),
    ...(timestamp === undefined ? [] : explainTimestamp(timestamp, parts)),
  ];
  if (timestamp === undefined || signature === undefined) return findings;
  const signed = partsOfUrl(request.method.toUpperCase(), request.url, timestamp);
  return [
    ...findings,
    ...explainRequest(request, signed, parts.brand),
    ...explainText(signature, signed, request, parts),
  ];
}

function explainHeaders(
  found: Readonly<Record<string, string | undefined>>,
  headers: ReadonlyMap<string, string>,
  prefix: string,
): string[] {
  const names = { apiKey: "API-Key", timestamp: "Timestamp", signature: "Signature" } as const;
  return Object.entries(names).flatMap(([key, name]) => {
    if (ownMember(found, key) !== undefined) return [];
    const other = [...headers.keys()].find((given) => given.endsWith(`-${name.toLowerCase()}`));
    const hint = other === undefined ? "" : `; ${other} has another prefix than this stage's`;
    return [`The header ${prefix}${name} is missing${hint}.`];
  });
}

function explainApiKey(apiKey: string): string[] {
  if (isExchangeApiKey(apiKey)) return [];
  if (apiKey.includes(",")) return ["The API key was sent twice."];
  return [`The API key has ${apiKey.length} characters; it is 64 letters and digits.`];
}

const UNITS: Readonly<Record<number, string>> = {
  10: "seconds: multiply by 1000",
  16: "microseconds: divide by 1000",
  19: "nanoseconds: divide by 1000000",
};

/** Only a wrong clock signs ahead; a stale timestamp may also have been signed long before it was sent. */
const TIME_REMEDIES = {
  malformed: "",
  ahead: " Set the client's clock.",
  stale: " Set the client's clock, or sign right before sending.",
} as const;

function explainTimestamp(timestamp: string, { judgedAt, freshness, brand }: ExplainParts): string[] {
  const header = `${brand.headerPrefix}Timestamp`;
  const judged = judgeFreshness(timestamp, judgedAt, freshness);
  if (judged.verdict === "fresh") return [];
  const unit = /^\d+$/.test(timestamp) ? UNITS[timestamp.length] : undefined;
  if (judged.verdict === "malformed" && unit !== undefined) return [`${header} is in ${unit}.`];
  const explained = explainFreshness(header, judged, judgedAt, freshness);
  return [`${explained}${TIME_REMEDIES[judged.verdict]}`];
}

function explainRequest(
  request: FailedRequest,
  signed: SignedParts,
  { basePath }: ExplainParts["brand"],
): string[] {
  const findings: string[] = [];
  if (request.method !== request.method.toUpperCase())
    findings.push("The method must be upper case in the request and in the signed text.");
  if (basePath !== "" && !signed.path.startsWith(`${basePath}/`))
    findings.push(`The URL lacks this stage's base path ${basePath}.`);
  const symbol = signed.path.slice(signed.path.lastIndexOf("/") + 1);
  if (symbol !== symbol.toUpperCase()) findings.push("The symbol in the URL must be upper case.");
  const ambiguity = ambiguityOf(signed, request.hasBody);
  if (ambiguity !== undefined)
    findings.push(`The request is refused whatever its signature: it has ${ambiguity}.`);
  return findings;
}

function explainText(
  header: string,
  signed: SignedParts,
  request: FailedRequest,
  { publicKeys, brand }: ExplainParts,
): string[] {
  const { bytes, mistake } = readSignature(header);
  const spelling = mistake === undefined ? [] : [`The signature has the wrong form: ${mistake}.`];
  if (bytes === undefined || publicKeys.length === 0) return spelling;
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.exec(request.url)?.[0] ?? "";
  const candidates = candidateTexts(signed, brand.basePath, origin);
  for (const [at, { hex, what }] of publicKeys.entries()) {
    const key = readPublicKey(Buffer.from(hex, "hex"));
    const found = key && candidates.find(({ text }) => isSignatureOf(text, bytes, key));
    if (found === undefined) continue;
    const wrongKey =
      at === 0 ? [] : [`The request was signed with ${what}, not with ${publicKeys[0]?.what}.`];
    return [...spelling, ...wrongKey, ...found.mistakes.map(asSentence)];
  }
  return [...spelling, noneFits(signed, publicKeys), ...(brand.basePath === "" ? [NO_BASE_PATH] : [])];
}

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const NO_BASE_PATH =
  "No base path is known here. If clients call the API under one, put it into the URL and name it with --base-path.";

function noneFits(signed: SignedParts, publicKeys: ExplainParts["publicKeys"]): string {
  const keys = publicKeys.map(({ what }) => what).join(" or ");
  const text = `${signed.timestamp}${signed.method}${signed.path}${signed.rawQuery}`;
  return `No text that was tried has this signature by ${keys}: it was made with another key, or over another request. The text to sign is: ${text}`;
}

/** The public half of a private or public key, as 64 hex digits. */
export const publicHexOf = (key: KeyObject): string =>
  Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url").toString("hex");

/** The bytes of a signature, and what is wrong with its spelling. `mistake` is undefined for the accepted spelling. */
interface ReadSignature {
  readonly bytes: Uint8Array | undefined;
  readonly mistake: string | undefined;
}

const SPELLINGS: readonly (readonly [RegExp, BufferEncoding, string])[] = [
  [/^[0-9a-fA-F]{128}$/, "hex", "it is spelled in hex"],
  [
    /^[A-Za-z0-9_-]{86}(?:==)?$/,
    "base64url",
    "it is spelled in base64url (- and _ for + and /, or no padding)",
  ],
  [/^[A-Za-z0-9+/]{86}$/, "base64", "its padding (==) is missing"],
  [/^[A-Za-z0-9+/]{86}==$/, "base64", "its last symbol before == is not the one an encoder writes"],
];

const RULE = "send standard Base64 of the 64 bytes: 88 characters, ending with ==";

/** Reads a signature in the accepted spelling or in one of those that clients use by mistake. */
function readSignature(text: string): ReadSignature {
  const accepted = decodeSignature(text);
  if (accepted !== undefined) return { bytes: accepted, mistake: undefined };
  const packed = text.replace(/\s+/g, "");
  const standard = decodeSignature(packed);
  if (standard !== undefined)
    return { bytes: standard, mistake: `it has blanks or line ends inside; ${RULE}` };
  for (const [form, encoding, what] of SPELLINGS) {
    if (form.test(packed)) return { bytes: Buffer.from(packed, encoding), mistake: `${what}; ${RULE}` };
  }
  return { bytes: bytesInside(packed), mistake: `${whatItIs(packed)}; ${RULE}` };
}

/** The bytes of a signature that was encoded twice: Base64 of its hex or Base64 text. */
function bytesInside(text: string): Uint8Array | undefined {
  const inside = Buffer.from(text, "base64").toString("latin1");
  if (/^[0-9a-f]{128}$/i.test(inside)) return Buffer.from(inside, "hex");
  return decodeSignature(inside);
}

function whatItIs(text: string): string {
  if (text.includes(",")) return "it is two signatures: the header was sent twice";
  if (bytesInside(text) !== undefined)
    return "it was encoded twice: the text of the signature, not its bytes, was Base64-encoded";
  return `it does not spell ${SIGNATURE_BYTES} bytes (${text.length} characters)`;
}
