import { dirname, resolve } from "node:path";
import { contractBrand } from "../../lib/brand.ts";
import { parsedJson } from "../../lib/json-value.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { callersPath } from "../store/store-options.ts";

/**
 * The members of a file of credentials that requests are made of, by their paths: a part of `demo.json`. A `secret`
 * never leaves in a text for people, an `id` differs from side to side, a `file` is a path, relative to the file that
 * names it.
 */
export const credentialMembers = {
  "business.token": "secret",
  "business.noScopeToken": "secret",
  "business.transactionId": "id",
  "business.requestId": "id",
  "business.requestWindow.from": "word",
  "business.requestWindow.to": "word",
  "business.otherTransactionId": "id",
  "ramp.apiKey": "secret",
  "ramp.orderId": "id",
  "ramp.otherOrderId": "id",
  "passes.token": "secret",
  "passes.noScopeToken": "secret",
  "passes.version": "word",
  "passes.versionHeader": "word",
  "passes.partnerReference": "id",
  "passes.voidReference": "id",
  "passes.mtls.url": "word",
  "passes.mtls.ca": "file",
  "passes.mtls.cert": "file",
  "passes.mtls.key": "file",
  "passes.mtls.otherCert": "file",
  "passes.mtls.otherKey": "file",
  "passes.jws.privateKeyFile": "file",
  "exchange.apiKey": "secret",
  "exchange.noScopeApiKey": "secret",
  "exchange.privateKeyFile": "file",
  "exchange.headerPrefix": "word",
  "exchange.symbol": "id",
} as const satisfies Record<string, "secret" | "id" | "word" | "file">;

/** The path of a member in a file of credentials. */
export type CredentialName = keyof typeof credentialMembers;

/** The members that a file gave, and the contract's words where it gave none. Paths are absolute. */
export type Credentials = ReadonlyMap<CredentialName, string>;

/** The credentials of a side without a file: none, but the contract's own words. */
export const noCredentials: Credentials = new Map([
  ["passes.version", String(passContractVersions.at(-1))],
  ["passes.versionHeader", contractBrand.versionHeader],
  ["exchange.headerPrefix", contractBrand.headerPrefix],
]);

/** Reads a file of credentials. @throws {OperatorError} that names the member at fault, and never shows a value. */
export async function readCredentials(file: string): Promise<Credentials> {
  const content = parsedJson(await readGiven(file));
  if (content === undefined)
    throw new OperatorError(
      `${nameOfGiven(file)} is not JSON. It must have the form of .countinghouse/demo.json.`,
    );
  return credentialsIn(content, callersPath(file));
}

/**
 * The credentials in an object of the form of `demo.json`. Members that are not known are passed over.
 *
 * @param file whose directory the paths are relative to.
 * @throws {OperatorError} for a member that is not a text.
 */
export function credentialsIn(content: unknown, file: string): Credentials {
  const given = new Map(noCredentials);
  for (const [name, kind] of Object.entries(credentialMembers)) {
    const value = memberAt(content, name.split("."));
    if (value === undefined) continue;
    if (typeof value !== "string" || !/^[\x20-\x7e]+$/.test(value))
      throw new OperatorError(`${file}: ${name} must be a text of visible ASCII characters.`);
    given.set(name as CredentialName, kind === "file" ? resolve(dirname(file), value) : value);
  }
  return given;
}

function memberAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return memberAt(new Map(Object.entries(value)).get(name), rest);
}
