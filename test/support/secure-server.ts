import type { RequestListener } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { onTestFinished } from "vitest";
import { createAuthority, issueCertificate } from "../../local/identity/certificates.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** TLS uses the machine's clock. */
const now = Math.floor(Date.now() / 1_000) * 1_000;

/** An authority, and certificates of a server and of a client, which has every kind of name. */
export async function presentCertificates() {
  const validity = { notBefore: now - 3_600_000, notAfter: now + 3_600_000 };
  const authority = await createAuthority("CN=Partner Clients,O=Pärtner", validity);
  const names = { hosts: ["poller.wallet.example"], addresses: ["127.0.0.1"], ...validity };
  const own = await issueCertificate(authority, { subject: "CN=server", use: "server", ...names });
  const subject = "CN=poller+OU=Übertragung,O=Wallet\\, Inc.";
  const client = await issueCertificate(authority, { subject, use: "client", ...names });
  const ca = authority.certificate;
  /** Starts a server that takes clients of the authority, until the end of the test. @returns its address. */
  const startServer = async (options: ServerOptions, answer: RequestListener): Promise<string> => {
    const server = createServer({ cert: own.certificate, key: own.key, ca, ...options }, answer);
    onTestFinished(() => void server.close());
    return `https://127.0.0.1:${await listenOnLoopback(server)}`;
  };
  return { now, ca, client, tls: { ca, cert: client.certificate, key: client.key }, startServer };
}
