import type { Command } from "commander";
import { getPass } from "../../lib/passes/contract.ts";
import { commands } from "../../local/installation.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import { optionOf } from "../store/store-options.ts";
import { addIssueOptions, type IssueOptions, issueCredential, lifetimeOf } from "./issue-credential.ts";
import { addEvidenceOptions, type EvidenceOptions, readEvidence } from "./read-evidence.ts";

/** The owner's id where only one wallet service polls. */
const OWNER_DEFAULT = "wallet";

const HELP = `
Registers a credential of the wallet service; nothing secret is read or stored. --jwk is the public key that verifies its
signatures, --certificate is its client certificate. Access tokens need no registration: their issuer is a setting of the
stage.
A certificate is accepted by its fingerprint or, with --by, by its issuer and one of its names, so that a renewed
certificate is accepted as well. The issuer is matched by its name alone: if the truststore holds more than one authority,
give the issuer's certificate with --issuer, and its key is checked too.
A certificate that is accepted by its fingerprint expires with itself, or earlier with --expires.
Credentials that are presented together must have the same owner; the owner of a token is its sub.

Examples:
  ${commands.ops} keys create passes --jwk wallet-public.jwk.json
  ${commands.ops} keys create passes --certificate wallet.pem --by DNS:poller.wallet.example --issuer authority.pem

Exit codes: 0 created, 2 not created.`;

interface Options extends IssueOptions, EvidenceOptions {
  readonly owner: string;
}

async function create(options: Options): Promise<void> {
  const { evidence, expiresAt } = await readEvidence(options);
  const lifetime = lifetimeOf(options, expiresAt);
  const credential = { ...evidence, owner: options.owner, scopes: [getPass.scope], ...lifetime };
  await issueCredential("keys create passes", { credential }, options);
}

/** `keys create passes`: registers a public key or a certificate of the wallet service. */
export function createPassKey(group: Command): void {
  addIssueOptions(
    addEvidenceOptions(
      group
        .command("passes")
        .description("register a public key or a client certificate of the wallet service"),
    ).option(
      "--owner <id>",
      "the credential's owner: the sub of its tokens",
      optionOf(parseOwnerId),
      OWNER_DEFAULT,
    ),
  )
    .addHelpText("after", HELP)
    .action(create);
}
