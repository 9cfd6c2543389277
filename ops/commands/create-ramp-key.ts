import type { Command } from "commander";
import { type Credential, newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../operator-error.ts";
import { parseExpiry } from "../parse-expiry.ts";
import { parseOwnerId } from "../parse-owner-id.ts";
import { withStore } from "../store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store-options.ts";
import { instantText } from "../write-table.ts";

const HELP = `
The key is shown this once; only its SHA-256 is stored. A key works as soon as it is created, until it expires or is
revoked. --expires takes a span (12h, 90d, 6w, 1y), a date (its first instant, UTC) or a date-time with its zone.
With --json, standard output is one JSON object: apiKey, id, owner, createdAt, expiresAt. npm prints lines of its own
there unless it is called with --silent.

Example:
  npm run --silent ops -- keys create ramp --partner acme --expires 90d --json

Exit codes: 0 created, 2 not created.`;

interface Options extends StoreOptions {
  readonly partner: string;
  readonly expires?: number;
  readonly json?: true;
}

function print(apiKey: string, { id, owner, createdAt, expiresAt }: Credential, asJson: boolean): void {
  const expires = expiresAt === undefined ? null : instantText(expiresAt);
  if (asJson) {
    console.log(JSON.stringify({ apiKey, id, owner, createdAt: instantText(createdAt), expiresAt: expires }));
    return;
  }
  console.log(`apiKey   ${apiKey}\nid       ${id}\npartner  ${owner}\nexpires  ${expires ?? "never"}`);
  console.error("Keep the key now: it is not stored and cannot be shown again. It is sent as X-API-KEY.");
}

async function create(options: Options): Promise<void> {
  const apiKey = newApiKey();
  const credential: Credential = {
    id: rampKeyId(apiKey),
    kind: "ramp-key",
    owner: options.partner,
    scopes: [],
    createdAt: systemClock(),
    ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
  };
  await withStore(options, async ({ client, tableName }) => {
    const added = await new CredentialRegister(client, tableName("Credentials")).add(credential);
    if (!added) throw new OperatorError("A key with this id is there already. Run the command again.");
  });
  print(apiKey, credential, options.json === true);
}

/** `keys create ramp`: issues an API key to a ramp partner. */
export function createRampKey(group: Command): void {
  addStoreOptions(
    group
      .command("ramp")
      .description("issue an API key to a ramp partner")
      .requiredOption("--partner <id>", "the partner, as in the sell orders it owns", optionOf(parseOwnerId))
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
