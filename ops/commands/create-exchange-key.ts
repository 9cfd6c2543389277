import type { Command } from "commander";
import type { Credential } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { exchangeCredentialOf, newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { systemClock } from "../../lib/clock.ts";
import { readRegistrableKey } from "../../lib/signature/public-key.ts";
import { OperatorError } from "../operator-error.ts";
import { parseExpiry } from "../parse-expiry.ts";
import { parseOwnerId } from "../parse-owner-id.ts";
import { keyOfFile } from "../read-key-file.ts";
import { withStore } from "../store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store-options.ts";
import { instantText } from "../write-table.ts";

const HELP = `
The client makes its own key pair and hands over the public half only:
  openssl genpkey -algorithm ed25519 -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem
PEM, or the raw key in hex, Base64 or base64url, is read. The API key names the public key; it is shown this once, and
only its SHA-256 is stored. All keys of an owner share one rate limit. Without --owner, keys with the same public key
have one. With --json, standard output is one JSON object: apiKey, id, owner, scopes, createdAt, expiresAt.

Example:
  npm run --silent ops -- keys create exchange --public-key public.pem --owner acme --expires 1y --json

Exit codes: 0 created, 2 not created.`;

interface Options extends StoreOptions {
  readonly publicKey: string;
  readonly owner?: string;
  readonly scopes: readonly string[];
  readonly expires?: number;
  readonly json?: true;
}

const SHOWN_DIGITS = 12;

function parseScopes(text: string): readonly string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== "");
  if (scopes.every((scope) => /^[a-z][a-z0-9._-]{0,63}$/.test(scope))) return scopes;
  throw new RangeError("Give words such as trades.read, separated by commas; an empty text for none.");
}

function print(apiKey: string, credential: Credential, asJson: boolean): void {
  const { id, owner, scopes, createdAt, expiresAt } = credential;
  const expires = expiresAt === undefined ? null : instantText(expiresAt);
  if (asJson) {
    console.log(
      JSON.stringify({ apiKey, id, owner, scopes, createdAt: instantText(createdAt), expiresAt: expires }),
    );
    return;
  }
  console.log(`apiKey   ${apiKey}\nid       ${id}\nowner    ${owner}`);
  console.log(`scopes   ${scopes.join(" ") || "none"}\nexpires  ${expires ?? "never"}`);
  console.error(
    "Keep the API key now: it is not stored and cannot be shown again. `ops sign` signs requests with it.",
  );
}

async function create(options: Options): Promise<void> {
  const publicKey = await keyOfFile(options.publicKey, readRegistrableKey);
  const apiKey = newExchangeApiKey();
  const credential = exchangeCredentialOf({
    apiKey,
    publicKey,
    owner: options.owner ?? `client-${publicKey.slice(0, SHOWN_DIGITS)}`,
    scopes: options.scopes,
    now: systemClock(),
    expiresAt: options.expires,
  });
  await withStore(options, async ({ client, tableName }) => {
    const added = await new CredentialRegister(client, tableName("Credentials")).add(credential);
    if (!added) throw new OperatorError("A key with this id is there already. Run the command again.");
  });
  print(apiKey, credential, options.json === true);
}

/** `keys create exchange`: registers a trading client's public key and issues the API key that names it. */
export function createExchangeKey(group: Command): void {
  addStoreOptions(
    group
      .command("exchange")
      .description("issue an API key to a trading client, for its Ed25519 public key")
      .requiredOption("--public-key <file>", "the client's public key")
      .option("--owner <id>", "whose limit its requests are charged to", optionOf(parseOwnerId))
      .option("--scopes <words>", "what the key may do", optionOf(parseScopes), ["trades.read"])
      .option(
        "--expires <when>",
        "from when the key no longer works; never, unless given",
        optionOf((text) => parseExpiry(text, systemClock())),
      )
      .option("--json", "print one JSON object, for programs"),
  )
    .addHelpText("after", HELP)
    .action(create);
}
