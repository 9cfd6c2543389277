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

/**
 * Attributes as their sorted pairs: the same for every order and every escaping that a text could have. They are read from
 * the text of Node.js, because its object of them ends the process for a key on a curve that NIST has not named.
 */
function attributesOf(certificate: X509Certificate, whose: "issuer" | "subject"): string {
  const values = new Map<string, string[]>();
  for (const attribute of textOf(certificate, whose).split(BETWEEN)) {
    const [, name, value = ""] = ATTRIBUTE.exec(attribute) ?? [];
    if (name !== undefined)
      values.set(name, [...(values.get(name) ?? []), value.replace(ESCAPED, unescaped)]);
  }
  const attributes = [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all] as const);
  return JSON.stringify(attributes.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A line for each part of a name, and a sign between attributes of one part; in a value, both are escaped (RFC 2253). */
const BETWEEN = /\n| \+ /;
const ATTRIBUTE = /^([^=]+)=(.*)$/s;
const ESCAPED = /\\([0-9A-F]{2}|.)/gs;
const unescaped = (_: string, escaped: string): string =>
  escaped.length === 1 ? escaped : String.fromCharCode(Number.parseInt(escaped, 16));

/** Node.js has no text for an issuer or subject without attributes. */
function textOf(certificate: X509Certificate, whose: "issuer" | "subject"): string {
  const text: string | undefined = certificate[whose];
  return text ?? "";
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
  const hasSubject = textOf(certificate, "subject") !== "";
  return [...alternativeNames(certificate), ...(hasSubject ? [{ kind: "subject" } as const] : [])];
}

/** Id under which certificates of one issuer with one name are registered, whatever their keys. */
export function certificateNameId(certificate: X509Certificate, name: CertificateName): string {
  const value = name.kind === "subject" ? attributesOf(certificate, "subject") : name.value;
  const named = JSON.stringify([attributesOf(certificate, "issuer"), name.kind, value]);
  return `certificate-name#${createHash("sha256").update(named).digest("hex")}`;
}
