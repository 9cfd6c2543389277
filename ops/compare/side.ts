import type { KeyObject } from "node:crypto";
import { systemClock } from "../../lib/clock.ts";
import { demoFilePath, readDemoFile } from "../../local/demo/demo-file.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { signRequest } from "../../local/signing/sign-request.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { readPrivateKey } from "../signing/read-private-key.ts";
import { maskSecrets } from "../terminal/terminal-text.ts";
import { type JwsSigningKey, readSigningKey, signDetached } from "../wallet/jws-signer.ts";
import { readTls } from "../wallet/read-tls.ts";
import {
  type CredentialName,
  type Credentials,
  credentialMembers,
  credentialsIn,
  noCredentials,
  readCredentials,
} from "./credentials.ts";
import type { Field } from "./message.ts";
import { type Destination, type SendLimits, sendMessage } from "./send-message.ts";

export type Label = "left" | "right";

/** Why a request cannot be made for a side. The message is for people. */
export class CannotAsk extends Error {
  override readonly name = "CannotAsk";
}

/** How a request of the exchange is signed: by this machine's clock and with the key that may read, unless given. */
export interface SigningChoice {
  /** How far ahead of this machine's clock the signature's instant lies; negative for the past. */
  readonly aheadMs?: number;
  readonly key?: "exchange.apiKey" | "exchange.noScopeApiKey";
}

/** The parts that a side is made of. */
export interface SideParts {
  readonly label: Label;
  readonly url: URL;
  readonly credentials: Credentials;
  /** PEM of the authorities to trust in place of the system's. */
  readonly ca?: string;
}

/** An address with what requests to it need. Each method throws `CannotAsk` for a credential that was not given. */
export class Side {
  readonly label: Label;
  readonly url: URL;
  readonly #credentials: Credentials;
  readonly #ca: string | undefined;

  constructor({ label, url, credentials, ca }: SideParts) {
    this.label = label;
    this.url = url;
    this.#credentials = credentials;
    this.#ca = ca;
  }

  /** The side's name in a report. */
  get title(): string {
    return this.url.href;
  }

  /** What clients put before every route, such as `/api`; empty at the root. */
  get basePath(): string {
    return this.url.pathname.replace(/\/+$/, "");
  }

  /** Whether its secrets would leave this machine without encryption. */
  get isExposed(): boolean {
    const { protocol, hostname } = this.url;
    return protocol === "http:" && !LOOPBACK.test(hostname) && this.#valuesOf("secret").length > 0;
  }

  get destination(): Destination {
    return { url: this.url, tls: { ...(this.#ca !== undefined && { ca: this.#ca }) } };
  }

  /** A credential, an id or a word of the side. */
  get(name: CredentialName): string {
    const value = this.#credentials.get(name);
    if (value === undefined) throw new CannotAsk(`${this.label} has no ${name} in its credentials`);
    return value;
  }

  bearer(name: "business.token" | "business.noScopeToken" | "passes.token" | "passes.noScopeToken"): Field {
    return ["Authorization", `Bearer ${this.get(name)}`];
  }

  /** The header that names the version of the pass contract. */
  version(): Field {
    return [this.get("passes.versionHeader"), this.get("passes.version")];
  }

  /** The headers that sign a GET of a target below the base path. */
  async signed(
    target: string,
    { aheadMs = 0, key = "exchange.apiKey" }: SigningChoice = {},
  ): Promise<readonly Field[]> {
    const [apiKey, prefix] = [this.get(key), this.get("exchange.headerPrefix")];
    const privateKey = await this.#exchangeKey();
    const request = {
      method: "GET",
      url: `${this.url.origin}${this.basePath}${target}`,
      now: systemClock() + aheadMs,
    };
    return Object.entries(signRequest(request, { apiKey, privateKey }, prefix));
  }

  /** The header with a detached JWS for a GET of a path below the base path. */
  async signedJws(path: string): Promise<Field> {
    const key = await this.#jwsKey();
    return ["Jws-Signature", await signDetached(key, `${this.basePath}${path}`, systemClock)];
  }

  /** The address for clients with certificates, and the files of one: its own, another one's, or none. */
  async mutualTls(client: "own" | "other" | "none"): Promise<Destination> {
    const url = readAddress(this.get("passes.mtls.url"), "passes.mtls.url");
    const ca = this.#credentials.get("passes.mtls.ca");
    return { url, tls: await readTls({ ...(ca !== undefined && { ca }), ...this.#certificate(client) }) };
  }

  /** Reads every file that the credentials name, so that a bad one is told before anything is sent. @throws {OperatorError} */
  async checkFiles(): Promise<void> {
    const readers = [
      () => this.#exchangeKey(),
      () => this.#jwsKey(),
      () => this.mutualTls("own"),
      () => this.mutualTls("other"),
    ];
    for (const read of readers)
      await read().catch((error: unknown) => {
        if (error instanceof OperatorError)
          throw new OperatorError(`Credentials of ${this.label}: ${error.message}`, error);
        if (!(error instanceof CannotAsk)) throw error;
      });
  }

  #certificate(client: "own" | "other" | "none"): { readonly cert?: string; readonly key?: string } {
    if (client === "none") return {};
    if (client === "own") return { cert: this.get("passes.mtls.cert"), key: this.get("passes.mtls.key") };
    return { cert: this.get("passes.mtls.otherCert"), key: this.get("passes.mtls.otherKey") };
  }

  async #exchangeKey(): Promise<KeyObject> {
    return await keyOfFile(this.get("exchange.privateKeyFile"), readPrivateKey);
  }

  async #jwsKey(): Promise<JwsSigningKey> {
    return await readSigningKey(this.get("passes.jws.privateKeyFile"));
  }

  /** A text of an answer, in which names stand for secrets, for ids of the side, and for its address. */
  mask(text: string): string {
    const secrets = this.#valuesOf("secret").map(([, value]) => value);
    const masked = [...this.#valuesOf("id")]
      .sort(([, one], [, other]) => other.length - one.length)
      .reduce((now, [name, value]) => now.replaceAll(value, `<${name}>`), maskSecrets(text, secrets));
    return masked
      .replaceAll(EXCHANGE_SIGNATURE, "(a signature of yours)")
      .replaceAll(`${this.url.origin}${this.basePath}`, "<address>")
      .replaceAll(this.url.host, "<host>");
  }

  #valuesOf(kind: "secret" | "id"): readonly (readonly [CredentialName, string])[] {
    return [...this.#credentials].filter(
      ([name, value]) => credentialMembers[name] === kind && value.length >= ID_MIN,
    );
  }
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/** A signature of the exchange: 64 bytes in Base64. */
const EXCHANGE_SIGNATURE = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}==/g;

/** A shorter id could stand anywhere in a text by chance. */
const ID_MIN = 4;

/** An address that requests can be sent to. @throws {OperatorError} that names the option. */
export function readAddress(text: string, option: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new OperatorError(`${option} must be an address such as https://api.example.com/api.`);
  if (url.username !== "" || url.password !== "")
    throw new OperatorError(
      `${option} must have no user or password: they would be shown. Give credentials in a file.`,
    );
  return url;
}

/** What the command line says of a side. */
interface SideGiven extends Pick<SideParts, "label" | "ca"> {
  readonly address: string;
  /** A file of credentials. */
  readonly file: string | undefined;
  /** The data directory of the local service. */
  readonly data: string;
}

/**
 * A side with its credentials: those of its file; without one, those of the demo file that names the address.
 *
 * @throws {OperatorError} for an address or a file that cannot be used.
 */
export async function openSide({ address, file, data, ...parts }: SideGiven): Promise<Side> {
  const url = readAddress(address, `--${parts.label}`);
  const credentials = file === undefined ? await demoCredentials(url, data) : await readCredentials(file);
  const side = new Side({ ...parts, url, credentials });
  await side.checkFiles();
  return side;
}

async function demoCredentials(url: URL, data: string): Promise<Credentials> {
  const demo = await readDemoFile(data);
  const isIts = demo.baseUrl !== undefined && placeOf(new URL(demo.baseUrl)) === placeOf(url);
  return isIts ? credentialsIn(demo, demoFilePath(data)) : noCredentials;
}

/** An address in one spelling. */
const placeOf = ({ origin, pathname }: URL): string =>
  `${origin.replace("//localhost", "//127.0.0.1")}${pathname.replace(/\/+$/, "")}`;

/**
 * Asks a side for a path that it does not have, to know that it can be reached.
 *
 * @throws {OperatorError} that says why not, and what to look at.
 */
export async function reachSide(side: Side, limits: SendLimits): Promise<void> {
  const target = `${side.basePath}/compare-unknown`;
  const seen = await sendMessage(side.destination, { target }, limits);
  if (limits.signal.aborted || seen.kind === "answer" || !seen.isUnreached) return;
  const advice = seen.why.includes("certificate")
    ? "Nothing was sent to it. If a private authority issued the certificate, name the authority with --ca."
    : "Check that it is running, that the address is right, and whether it is http:// or https://.";
  throw new OperatorError(`--${side.label} ${side.url.href} cannot be reached: ${seen.why}. ${advice}`);
}
