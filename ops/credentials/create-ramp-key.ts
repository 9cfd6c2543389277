import type { Command } from "commander";
import { newApiKey, rampKeyId } from "../../lib/auth/credential.ts";
import { commands } from "../../local/installation.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import { optionOf } from "../store/store-options.ts";
import { addIssueOptions, type IssueOptions, issueCredential, lifetimeOf } from "./issue-credential.ts";

const HELP = `
The key is shown only once; only its SHA-256 is stored. A key that standard output does not take is revoked at once. A
key works as soon as it is created, until it expires or is revoked. --expires takes a span (12h, 90d, 6w, 1y), a date
(its first instant, UTC) or a date-time with its zone.
npm adds lines of its own to standard output unless it is called with --silent.

Example:
  ${commands.quietOps} keys create ramp --partner acme --label "payments server" --expires 90d --json

Exit codes: 0 created, 2 not created.`;

interface Options extends IssueOptions {
  readonly partner: string;
}

async function create(options: Options): Promise<void> {
  const apiKey = newApiKey();
  const id = rampKeyId(apiKey);
  const credential = {
    id,
    kind: "ramp-key",
    owner: options.partner,
    scopes: [],
    ...lifetimeOf(options),
  } as const;
  if (!(await issueCredential("keys create ramp", { credential, apiKey }, options))) return;
  console.error(
    "Save the key now: it is not stored and cannot be shown again. The partner sends it as X-API-KEY.",
  );
}

/** `keys create ramp`: issues an API key to a ramp partner. */
export function createRampKey(group: Command): void {
  addIssueOptions(
    group
      .command("ramp")
      .description("issue an API key to a ramp partner")
      .requiredOption(
        "--partner <id>",
        "the partner, named as when its sell orders are imported",
        optionOf(parseOwnerId),
      ),
  )
    .addHelpText("after", HELP)
    .action(create);
}
