import { ownMember } from "../../lib/own-member.ts";
import { commands } from "../../local/installation.ts";
import { shQuoted as quoted } from "../../local/terminal/sh-quoted.ts";
import { maskSecrets, terminalText } from "../terminal/terminal-text.ts";
import type { SentRequest } from "../wallet/wallet.ts";
import type { Subject } from "./subject.ts";

/** Headers that the wallet always sends, and that a curl line can leave out, because they change nothing. */
const IMPLIED: Readonly<Record<string, string>> = {
  accept: "application/json",
  "accept-encoding": "identity",
};

/**
 * A curl line that sends a request again, for a POSIX shell. It reads credentials from the files that they came from,
 * so that none stands in the line, and makes a new signature.
 */
export function curlOf(request: SentRequest, subject: Subject): string {
  const { headers, probe, url } = request;
  // A server may use a token or a signature as its tag, which If-None-Match then repeats.
  const masked = (word: string): string =>
    maskSecrets(word, [subject.wallet.credentials.token, subject.plan.noScopeToken]);
  const shown = Object.entries(headers)
    .filter(([name, value]) => ownMember(IMPLIED, name) !== value)
    // Each request has its own Request-Id, which matters only to the rules about it.
    .filter(([name]) => name !== "Request-Id" || probe.headers?.[name] !== undefined)
    .map(([name, value]) => {
      const word = headerWord(name, value, request, subject);
      // A signature's word is a command that makes it, or a forgery that is sent as it is.
      return `-H ${name === "Jws-Signature" ? word : masked(word)}`;
    });
  const words = ["curl", "--globoff", "--path-as-is", "-i", ...shown, ...tlsWords(request, subject)];
  return terminalText([...words, masked(quoted(url.href))].join(" "));
}

function headerWord(name: string, value: string, request: SentRequest, subject: Subject): string {
  const print = printerOf(name, value, request, subject);
  if (print === undefined)
    return /[^\x20-\x7e]/.test(value) ? printed(name, value) : quoted(`${name}: ${value}`);
  const scheme = name === "Authorization" ? "Bearer " : "";
  return `"${name}: ${scheme}$(${request.probe.spoiledBy?.(print) ?? print})"`;
}

/** A header with bytes beyond ASCII, which a shell would send as two each: `printf` makes them from octal digits. */
function printed(name: string, value: string): string {
  const format = value.replaceAll(/[^\x20-\x7e]|[\\%']/g, (character) => {
    const digits = character.charCodeAt(0).toString(8).padStart(3, "0");
    return `\\${digits}`;
  });
  return `"${name}: $(printf '${format}')"`;
}

/** The command that prints the operator's credential in a header; undefined for a header without one. */
function printerOf(name: string, value: string, { url, probe }: SentRequest, { wallet, plan }: Subject) {
  const { files = {} } = plan;
  if (name === "Authorization") {
    if (isMadeOf(value, plan.noScopeToken)) return printerOfToken(files.noScopeToken, "NO_SCOPE_TOKEN");
    const isOwn = value === `Bearer ${wallet.credentials.token}` || probe.spoiledBy !== undefined;
    return isOwn ? printerOfToken(files.token, "TOKEN") : undefined;
  }
  if (name !== "Jws-Signature") return undefined;
  // A forgery was made without the key, so it may be shown.
  if (probe.headers?.[name] !== undefined && probe.spoiledBy === undefined) return undefined;
  const { signingKey } = probe.credentials ?? wallet.credentials;
  const isOwn = signingKey === wallet.credentials.signingKey || probe.spoiledBy !== undefined;
  const file = isOwn ? (files.jwsKey ?? "key.json") : "strange.jwk.json";
  return `${commands.quietOps} sign-pass ${quoted(url.pathname)} --jws-key ${quoted(file)}`;
}

/** The length of a token's end that may have been changed. */
const END = 5;

/** Whether a header holds a token, or a copy of it with another end. */
const isMadeOf = (value: string, token: string | undefined): boolean =>
  token !== undefined && value.slice(0, -END) === `Bearer ${token}`.slice(0, -END);

const printerOfToken = (file: string | undefined, variable: string): string =>
  file === undefined || file === "-" ? `printf %s "$${variable}"` : `cat ${quoted(file)}`;

function tlsWords({ probe }: SentRequest, { wallet, plan }: Subject): string[] {
  const { files = {} } = plan;
  const { cert, ca } = (probe.credentials ?? wallet.credentials).tls;
  const isOwn = cert === wallet.credentials.tls.cert;
  const [certFile, keyFile] = isOwn
    ? [files.cert ?? "client.pem", files.key ?? "client-key.pem"]
    : ["strange.pem", "strange-key.pem"];
  return [
    ...(ca === undefined ? [] : ["--cacert", quoted(files.ca ?? "ca.pem")]),
    ...(cert === undefined ? [] : ["--cert", quoted(certFile), "--key", quoted(keyFile)]),
  ];
}
