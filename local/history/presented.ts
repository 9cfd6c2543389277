import { exchangeKeyId, rampKeyId } from "../../lib/auth/credential.ts";
import type { Brand } from "../../lib/brand.ts";
import { ownMember } from "../../lib/own-member.ts";
import type { Exchange } from "../gateway/exchange.ts";

/** A credential that a request carried: its kind, and what names it. Never the secret itself. */
export interface Presented {
  readonly kind: string;
  readonly names: Readonly<Record<string, string>>;
}

/** The credentials that a request carried, valid or not, in the order in which the contracts list them. */
export function presentedBy(
  { headers, clientCert }: Pick<Exchange, "headers" | "clientCert">,
  { headerPrefix }: Pick<Brand, "headerPrefix">,
): readonly Presented[] {
  const header = (name: string): string | undefined => ownMember(headers, name.toLowerCase());
  const exchangeKey = header(`${headerPrefix}API-Key`);
  const rampKey = header("X-API-KEY");
  return [
    ...presentedToken(header("Authorization")),
    ...presentedJws(header("Jws-Signature")),
    ...(clientCert === undefined
      ? []
      : [
          {
            kind: "client certificate",
            names: {
              // A client may be named by its alternative names alone.
              ...(clientCert.subjectDN !== "" && { subject: clientCert.subjectDN.slice(0, TEXT_MAX) }),
              serial: clientCert.serialNumber.slice(0, TEXT_MAX),
            },
          },
        ]),
    ...(exchangeKey === undefined
      ? []
      : [
          {
            kind: "signature",
            names: withoutAbsent({
              key: exchangeKeyId(exchangeKey),
              timestamp: numberText(header(`${headerPrefix}Timestamp`)),
            }),
          },
        ]),
    ...(rampKey === undefined ? [] : [{ kind: "API key", names: { key: rampKeyId(rampKey) } }]),
  ];
}

/** The members of a token that name who issued it, to whom and for what. */
const CLAIMS = ["iss", "aud", "sub", "scope"] as const;

function presentedToken(authorization: string | undefined): readonly Presented[] {
  if (authorization === undefined) return [];
  const [, header, payload] = /^bearer +([^.\s]+)\.([^.\s]+)\.[^.\s]+$/i.exec(authorization) ?? [];
  const [head, claims] = [membersIn(header), membersIn(payload)];
  const expiry = typeof claims.exp === "number" && { expires: instantText(claims.exp * 1_000) };
  const names = { ...textsOf(head, ["alg", "kid"]), ...textsOf(claims, CLAIMS), ...expiry };
  return [{ kind: header === undefined ? "Authorization of another form" : "access token", names }];
}

function presentedJws(signature: string | undefined): readonly Presented[] {
  if (signature === undefined) return [];
  return [{ kind: "detached JWS", names: textsOf(membersIn(signature.split(".")[0]), ["alg", "kid"]) }];
}

type Members = Readonly<Record<string, unknown>>;

/** The members of a part of a token; none when it is not JSON in Base64url. */
function membersIn(part: string | undefined): Members {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? "", "base64url").toString());
    return typeof value === "object" && value !== null ? (value as Members) : {};
  } catch {
    return {};
  }
}

const TEXT_MAX = 200;

const textsOf = (members: Members, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = ownMember(members, name);
      return typeof value === "string" ? [[name, value.slice(0, TEXT_MAX)]] : [];
    }),
  );

const withoutAbsent = (members: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** A timestamp as it was sent; anything but digits is not a timestamp. */
const numberText = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{1,20}$/.test(text) ? text : undefined;

/** An instant as ISO 8601; empty for a number that is none. */
function instantText(epochMs: number): string {
  const instant = new Date(epochMs);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
}
