import { userInfo } from "node:os";
import type { STSClient } from "@aws-sdk/client-sts";
import { ended } from "../store/ended.ts";
import type { OperatorStore } from "../store/operator-store.ts";

/** AWS's answer is not worth a longer wait: without it the line has the id of the access key. */
const WAIT_MS = 3_000;

const asked = new WeakMap<object, Promise<string>>();

/**
 * The person or role that changes something, for the audit. On a deployed stage, the ARN that STS knows the operator's
 * credentials by, asked once for each store that is opened; where STS does not answer, `access-key:<id>`, by which the
 * account's owner finds the identity. Elsewhere `local:<user>`, by the name of the user on this machine.
 */
export function actorOf({ aws }: Pick<OperatorStore, "aws">): Promise<string> {
  if (aws === undefined) return Promise.resolve(`local:${userName()}`);
  const actor = asked.get(aws) ?? askAmazon(aws.region);
  asked.set(aws, actor);
  return actor;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}

async function askAmazon(region: string | undefined): Promise<string> {
  // Loaded only where it is needed: it takes longer than many a command.
  const { GetCallerIdentityCommand, STSClient } = await import("@aws-sdk/client-sts");
  const requestHandler = { connectionTimeout: WAIT_MS, requestTimeout: WAIT_MS, throwOnRequestTimeout: true };
  using client = ended(
    new STSClient({ ...(region !== undefined && { region }), maxAttempts: 2, requestHandler }),
  );
  try {
    const { Arn } = await client.send(new GetCallerIdentityCommand());
    return Arn ?? (await accessKeyOf(client));
  } catch {
    // An operator who must switch an endpoint off must not be stopped by a fault of STS.
    return await accessKeyOf(client);
  }
}

const accessKeyOf = async ({ config }: STSClient): Promise<string> =>
  `access-key:${(await config.credentials()).accessKeyId}`;
