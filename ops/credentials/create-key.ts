import { newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import { exchangeCredentialOf, newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { systemClock } from "../../lib/clock.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { listTrades } from "../../lib/trades/contract.ts";
import { readRegistrableKey } from "../../local/credentials/public-key.ts";
import { parseLabel } from "../arguments/label.ts";
import { parseExpiry } from "../arguments/parse-expiry.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { defineCommand, takes } from "../command.ts";
import { issueCredential, issuedExample, issuedShape, lifetimeOf } from "./issue-credential.ts";
import { evidenceTakes, readEvidence } from "./read-evidence.ts";

/** What every command takes that issues or registers a credential. */
const issueTakes = takes({
  "--expires <when>": {
    text: "when the credential expires (default: never)",
    parse: (text) => parseExpiry(text, systemClock()),
  },
  "--label <text>": {
    text: "one line that tells it from others of its owner",
    parse: parseLabel,
    isUnquoted: true,
  },
});

/** What all of them have in common. */
const issuing = {
  exits: "created",
  on: "store, made if missing",
  dryRun: "say what would be issued, and store nothing",
  json: { shape: issuedShape, example: issuedExample },
} as const;

/** The beginning of a public key, in the name of an owner that nobody gave. */
const SHOWN_DIGITS = 12;

/** The scopes that a key can have: those of the endpoints that accept exchange keys. */
const SCOPES: readonly string[] = [listTrades.scope];

function parseScopes(text: string): readonly string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== "");
  if (scopes.length > 0 && scopes.every((scope) => SCOPES.includes(scope))) return [...new Set(scopes)];
  throw new RangeError(`The scopes of an exchange key are: ${SCOPES.join(", ")}.`);
}

/** `keys create exchange`: registers a trading client's public key and issues the API key that names it. */
export const createExchangeKey = defineCommand({
  ...issuing,
  words: "keys create exchange",
  summary: "issue an API key to a trading client, for its Ed25519 public key",
  about: `The client makes its own key pair and hands over only the public half:
  openssl genpkey -algorithm ed25519 -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem
The file holds PEM, or the raw key in hex, Base64 or base64url. The API key names the public key. It is shown only once,
and only its SHA-256 is stored. All keys of an owner share one rate limit; without --owner, keys for the same public key
share an owner.`,
  examples: ["ops keys create exchange --public-key public.pem --owner acme --expires 1y --json"],
  takes: {
    "--public-key <file>": { text: "the client's public key", required: true },
    "--owner <id>": {
      text: "the owner of the rate limit that its requests count against",
      parse: parseOwnerId,
    },
    "--scopes <words>": { text: "what the key may do", parse: parseScopes, default: SCOPES.join(" ") },
    ...issueTakes,
  },
  async run(given, context) {
    const publicKey = await keyOfFile(given.publicKey, readRegistrableKey);
    const apiKey = newExchangeApiKey();
    const { createdAt: now, expiresAt } = lifetimeOf(given);
    const { owner = `client-${publicKey.slice(0, SHOWN_DIGITS)}`, scopes, label } = given;
    const credential = exchangeCredentialOf({ apiKey, publicKey, owner, scopes, now, expiresAt });
    const save =
      "Save the API key now: it is not stored and cannot be shown again. `ops sign` signs requests with it.";
    return await issueCredential({ credential, label, apiKey }, given, context, save);
  },
});

/** `keys create ramp`: issues an API key to a ramp partner. */
export const createRampKey = defineCommand({
  ...issuing,
  words: "keys create ramp",
  summary: "issue an API key to a ramp partner",
  about: `The key is shown only once; only its SHA-256 is stored. A key that standard output does not take is revoked at once. A
key works as soon as it is created, until it expires or is revoked. --expires takes a span (12h, 90d, 6w, 1y), a date
(its first instant, UTC) or a date-time with its zone.
npm adds lines of its own to standard output unless it is called with --silent.`,
  examples: ['ops keys create ramp --partner acme --label "payments server" --expires 90d --json'],
  takes: {
    "--partner <id>": {
      text: "the partner, named as when its sell orders are imported",
      parse: parseOwnerId,
      required: true,
    },
    ...issueTakes,
  },
  async run(given, context) {
    const apiKey = newApiKey();
    const { partner: owner, label } = given;
    const credential = {
      id: rampKeyId(apiKey),
      kind: "ramp-key",
      owner,
      scopes: [],
      ...lifetimeOf(given),
    } as const;
    const save =
      "Save the key now: it is not stored and cannot be shown again. The partner sends it as X-API-KEY.";
    return await issueCredential({ credential, label, apiKey }, given, context, save);
  },
});

/** `keys create passes`: registers a public key or a certificate of the wallet service. */
export const createPassKey = defineCommand({
  ...issuing,
  words: "keys create passes",
  summary: "register a public key or a client certificate of the wallet service",
  about: `Registers a credential of the wallet service; nothing secret is read or stored. --jwk is the public key that verifies its
signatures, --certificate is its client certificate. Access tokens need no registration: their issuer is a setting of the
stage.
A certificate is accepted by its fingerprint or, with --by, by its issuer and one of its names, so that a renewed
certificate is accepted as well. The issuer is matched by its name alone: if the truststore holds more than one authority,
give the issuer's certificate with --issuer, and its key is checked too.
A certificate that is accepted by its fingerprint expires with itself, or earlier with --expires.
Credentials that are presented together must have the same owner; the owner of a token is its sub.`,
  examples: [
    "ops keys create passes --jwk wallet-public.jwk.json",
    "ops keys create passes --certificate wallet.pem --by DNS:poller.wallet.example --issuer authority.pem",
  ],
  takes: {
    ...evidenceTakes,
    "--owner <id>": {
      text: "the credential's owner: the sub of its tokens",
      parse: parseOwnerId,
      // Where only one wallet service polls.
      default: "wallet",
    },
    ...issueTakes,
  },
  async run(given, context) {
    const { evidence, expiresAt } = await readEvidence(given);
    const { owner, label } = given;
    const credential = { ...evidence, owner, scopes: [getPass.scope], ...lifetimeOf(given, expiresAt) };
    return await issueCredential({ credential, label }, given, context);
  },
});
