import * as z from "zod/mini";
import { CredentialStore } from "../../lib/auth/credential-store.ts";
import { isExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { ownMember } from "../../lib/own-member.ts";
import { ambiguityOf } from "../../lib/signature/canonical-request.ts";
import { readRegistrableKey } from "../../local/credentials/public-key.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { curlLine, curlOptions } from "../../local/signing/curl-line.ts";
import { type ExplainParts, explainSignature, publicHexOf } from "../../local/signing/explain-signature.ts";
import { findRegisteredKey, type RegisteredKey, registered } from "../../local/signing/registered-key.ts";
import { partsOfUrl, signRequest } from "../../local/signing/sign-request.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { type Context, defineCommand, type GivenOf, takes } from "../command.ts";
import { stageBrand, stageFreshness } from "../store/store.ts";
import { brandTake, type StoreOptions } from "../store/store-options.ts";
import { readPrivateKey } from "./read-private-key.ts";

type Headers = Readonly<Record<string, string>>;

function parseHeader(line: string, before: Headers = {}): Headers {
  const colon = line.indexOf(":");
  if (colon < 1) throw new RangeError('Give a header as "Name: value".');
  const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  const given = ownMember(before, name);
  return { ...before, [name]: given === undefined ? value : `${given},${value}` };
}

function parseInstant(text: string): number {
  if (/^\d{13}$/.test(text)) return Number(text);
  throw new RangeError("Give epoch milliseconds, 13 digits.");
}

const signTakes = takes({
  "<method>": "the request's method: GET",
  "<url>": "the URL that clients call, with its query",
  "--api-key <key>": "the API key to sign for",
  "--private-key <file>": "the Ed25519 private key, PEM",
  "--curl": "print a whole curl command",
  "--curl-options": "print the headers as options, for the $(…) of a curl command",
  "--signed-at <ms>": {
    text: "sign for this instant instead of now, in epoch milliseconds",
    parse: parseInstant,
  },
  "--explain": "say what was wrong with a request that was refused",
  "-H, --header <line>": {
    text: "with --explain: a header that was sent; repeat the option for each",
    parse: parseHeader,
  },
  "--body": "with --explain: the request had a body",
  "--public-key <file>": "with --explain: the registered public key, instead of the store's",
  "--judged-at <ms>": { text: "with --explain: the timestamp of the server's answer", parse: parseInstant },
  "--header-prefix <text>": brandTake("the prefix of the headers' names", "HEADER_PREFIX"),
  "--base-path <path>": brandTake("with --explain: where clients see the API", "BASE_PATH"),
});

type Given = GivenOf<typeof signTakes> & StoreOptions;

const JUDGED_NOW =
  "Judged as if the request had just arrived. Give the `timestamp` of the server's answer with --judged-at to judge it as the server did.";

/** `sign`: signs a request of the exchange, or explains what was wrong with one. */
export const signOrExplain = defineCommand({
  words: "sign",
  summary: "sign a request of the exchange, or explain why one was refused",
  about: `
Prints the three headers of a signed request; with --curl, a whole curl command; with --curl-options, the headers as
options for the $(…) of a curl command. A signature is valid for 30 seconds. The path is signed as it stands in the URL:
give the URL that clients call, with the base path if there is one.

With --explain, nothing is signed. Give a request that was refused, with the headers that were sent, to learn what was
wrong with it. The registered public key is looked up in the store by the request's API key, or taken from --public-key.
Give the client's --private-key too, if you have it, to learn whether it belongs to the registered key. --judged-at is the
timestamp in the server's answer; without it, the request is judged as if it had just arrived.

With --stage, the header prefix and the base path are the stage file's. Without it, the first of these counts:
--header-prefix and --base-path, HEADER_PREFIX and BASE_PATH in the environment, the last \`${commands.start}\` on the directory
of --data.`,
  examples: [
    `${commands.quietOps} sign GET 'http://127.0.0.1:3000/1.0/trades/all/BTC-USD?limit=10' \\\n--api-key KEY --private-key private.pem --curl`,
    `${commands.quietOps} sign GET 'https://api.example/1.0/trades/all/BTC-USD' --explain \\\n-H 'X-…-API-Key: …' -H 'X-…-Timestamp: …' -H 'X-…-Signature: …' --judged-at 1795554000000`,
  ],
  exits: {
    0: "signed, or no fault found in the request",
    1: "a fault found",
    2: "neither signed nor explained",
  },
  on: "store",
  takes: signTakes,
  json: {
    // With --explain, what is wrong with a request, which is nothing where the list is empty.
    shape: z.union([
      z.object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        curl: z.string(),
      }),
      z.object({ findings: z.array(z.string()) }),
    ]),
    example: {
      method: "GET",
      url: "http://127.0.0.1:3000/1.0/trades/all/BTC-USD",
      headers: { [`${contractBrand.headerPrefix}Timestamp`]: "1795554000000" },
      curl: `curl -H '${contractBrand.headerPrefix}Timestamp: 1795554000000' …`,
    },
  },
  async run(given, { store }) {
    const { method, url } = given;
    if (given.explain) {
      const findings = await findingsOn(given, store);
      return {
        json: { findings },
        text:
          findings.length === 0
            ? "Nothing is wrong with the request's signature, time or key."
            : findings.map((finding) => `- ${finding}`),
        remark: given.judgedAt === undefined ? JUDGED_NOW : undefined,
        exitCode: findings.length > 0 ? exitCodes.someRefused : exitCodes.done,
      };
    }
    const verb = method.toUpperCase();
    const headers = await signedHeaders(verb, given);
    const line = curlLine(verb, url, headers);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return {
      json: { method: verb, url, headers, curl: line },
      text: given.curl ? line : given.curlOptions ? curlOptions(headers) : lines,
    };
  },
});

async function signedHeaders(method: string, given: Given): Promise<Record<string, string>> {
  const { url, apiKey, privateKey: file } = given;
  if (apiKey === undefined || file === undefined)
    throw new OperatorError(
      "Give --api-key, which `keys create exchange` printed, and --private-key, the file of the private key.",
    );
  if (!isExchangeApiKey(apiKey)) throw new OperatorError("--api-key: an API key has 64 letters and digits.");
  requireUrl(url);
  const ambiguity = ambiguityOf(partsOfUrl("GET", url, ""), false);
  if (ambiguity !== undefined)
    throw new OperatorError(`The server refuses this URL whatever the signature: it has ${ambiguity}.`);
  const key = { apiKey, privateKey: await keyOfFile(file, readPrivateKey) };
  const headerPrefix = given.headerPrefix ?? (await stageBrand(given)).headerPrefix;
  return signRequest({ method, url, now: given.signedAt ?? systemClock() }, key, headerPrefix);
}

/** Whatever is wrong with a refused request, in words. */
async function findingsOn(given: Given, store: Context<never>["store"]): Promise<readonly string[]> {
  const { method, url, header: headers = {}, body: hasBody } = given;
  requireUrl(url);
  const stage = await stageBrand(given);
  const { headerPrefix = stage.headerPrefix, basePath = stage.basePath } = given;
  const judgedAt = given.judgedAt ?? systemClock();
  const found = await registeredKey(given, `${headerPrefix}API-Key`.toLowerCase(), judgedAt, store);
  const publicKeys = [...found.keys, ...(await givenKey(given))];
  const brand = { headerPrefix, basePath };
  const parts = { brand, freshness: stageFreshness(given), publicKeys, judgedAt };
  return [...found.findings, ...explainSignature({ method, url, headers, hasBody }, parts)];
}

/** The key that was given in place of the registered one, or the one of the API key in the store. */
async function registeredKey(
  { publicKey, header = {} }: Given,
  name: string,
  judgedAt: number,
  store: Context<never>["store"],
): Promise<RegisteredKey> {
  if (publicKey !== undefined)
    return { keys: [registered(await keyOfFile(publicKey, readRegistrableKey))], findings: [] };
  const apiKey = Object.entries(header).find(([given]) => given.toLowerCase() === name)?.[1] ?? "";
  // Without a key that may be registered, no store need be there.
  if (!isExchangeApiKey(apiKey)) return { keys: [], findings: [] };
  const credentials = new CredentialStore((await store()).table("Credentials"), systemClock);
  return findRegisteredKey(credentials, apiKey, judgedAt);
}

async function givenKey({ privateKey }: Given): Promise<ExplainParts["publicKeys"]> {
  if (privateKey === undefined) return [];
  const key = await keyOfFile(privateKey, readPrivateKey);
  return [{ hex: publicHexOf(key), what: "the private key that was given" }];
}

const EXAMPLE = "such as https://api.example.com/1.0/trades/all/BTC-USD?limit=10";

/**
 * Requires an address that a client can call: http or https, with a host, and only of characters that can be sent as
 * they are. Its path and query are left to the server to judge.
 *
 * @throws {OperatorError} that says what to do.
 */
function requireUrl(url: string): void {
  const bad = /[^!-~]/.exec(url)?.[0];
  if (bad !== undefined) {
    const what = bad === " " ? "a space" : "a character that is not visible ASCII";
    throw new OperatorError(`The URL has ${what} in it. Percent-encode it, as it is sent.`);
  }
  if (!/^https?:\/\/[^/?#]/i.test(url) || URL.parse(url) === null)
    throw new OperatorError(`The URL must begin with http:// or https:// and a host, ${EXAMPLE}.`);
}
