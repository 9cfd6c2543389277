import { createHash, type X509Certificate } from "node:crypto";

/** Kinds of alternative names that identify a client; an IP address does not name its owner. */
const ALTERNATIVE_KINDS = ["DNS", "URI", "email"] as const;

/** A name under which certificates of an issuer may be registered: one alternative name, or all of its subject. */
export type CertificateName =
  | { readonly kind: (typeof ALTERNATIVE_KINDS)[number]; readonly value: string }
  | { readonly kind: "subject" };

/**
 * One alternative name in Node.js's text; a value with a quote, a comma or a control character is a JSON string there.
 */
const ALTERNATIVE = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;

/** Attributes as their sorted pairs: the same for every order and every escaping that a text could have. */
function attributesOf(certificate: X509Certificate, whose: "issuer" | "subject"): string {
  const attributes = Object.entries(certificate.toLegacyObject()[whose] ?? {});
  return JSON.stringify(attributes.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The alternative names that may identify a client; empty when the text of Node.js is not wholly understood. */
function alternativeNames(certificate: X509Certificate): CertificateName[] {
  const text = certificate.subjectAltName ?? "";
  const names: CertificateName[] = [];
  ALTERNATIVE.lastIndex = 0;
  while (ALTERNATIVE.lastIndex < text.length) {
    const [, given, value = ""] = ALTERNATIVE.exec(text) ?? [];
    if (given === undefined) return [];
    const kind = ALTERNATIVE_KINDS.find((known) => known === given);
    if (kind === undefined) continue;
    const plain = value.startsWith('"') ? (JSON.parse(value) as string) : value;
    // Host names are compared in any case (RFC 5280 4.2.1.6).
    names.push({ kind, value: kind === "DNS" ? plain.toLowerCase() : plain });
  }
  return names;
}

/** Every name of a certificate. An empty subject is not a name. */
export function certificateNames(certificate: X509Certificate): CertificateName[] {
  const hasSubject = Object.keys(certificate.toLegacyObject().subject ?? {}).length > 0;
  return [...alternativeNames(certificate), ...(hasSubject ? [{ kind: "subject" } as const] : [])];
}

/** Id under which certificates of one issuer with one name are registered, whatever their keys. */
export function certificateNameId(certificate: X509Certificate, name: CertificateName): string {
  const value = name.kind === "subject" ? attributesOf(certificate, "subject") : name.value;
  const named = JSON.stringify([attributesOf(certificate, "issuer"), name.kind, value]);
  return `certificate-name#${createHash("sha256").update(named).digest("hex")}`;
}
