import type { LambdaClient } from "@aws-sdk/client-lambda";
import { endpoints } from "../../../infra/endpoints.ts";
import { INGEST_NAME } from "../../../lib/ingest/settings.ts";
import { UPKEEP_NAME } from "../../../lib/upkeep/settings.ts";
import { takesMessages } from "../../status/read-queues.ts";
import { type Found, fail, ok, warn } from "../finding.ts";
import { clientOptions, deployText, type StageContext } from "./stage-context.ts";

/** What AWS gives an account that has asked for nothing, once it is not new any more. */
const USUAL_CONCURRENCY = 1_000;

async function withLambda<Result>(
  context: Pick<StageContext, "region">,
  work: (client: LambdaClient) => Promise<Result>,
): Promise<Result> {
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const client = new LambdaClient(clientOptions(context));
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

/** Whether every function is there, with the alias that requests go to. */
export const checkFunctions = (context: StageContext): Promise<readonly Found[]> =>
  withLambda(context, async (client) => {
    const { GetAliasCommand } = await import("@aws-sdk/client-lambda");
    const { name: stageName } = context.stage;
    const names = [
      ...endpoints.map(({ contract }) => contract.name),
      UPKEEP_NAME,
      ...(takesMessages(context.stage) ? [INGEST_NAME] : []),
    ];
    const found = await Promise.all(
      names.map(async (name): Promise<{ readonly version: string } | Found> => {
        const FunctionName = `countinghouse-${stageName}-${name}`;
        try {
          const { FunctionVersion } = await client.send(new GetAliasCommand({ FunctionName, Name: "live" }));
          return { version: `${name} ${FunctionVersion}` };
        } catch (error) {
          if (!(error instanceof Error) || error.name !== "ResourceNotFoundException") throw error;
          return fail(
            `${FunctionName} is not there, or has no alias live`,
            `${deployText(stageName, "api")}.`,
          );
        }
      }),
    );
    const faults = found.filter((one) => "verdict" in one);
    const versions = found.flatMap((one) => ("version" in one ? [one.version] : []));
    return faults.length > 0 ? faults : [ok(`all have the alias live; versions: ${versions.join(", ")}`)];
  });

/** How many environments of Lambda the account may have at once. */
export const checkConcurrency = (context: StageContext): Promise<Found> =>
  withLambda(context, async (client) => {
    const { GetAccountSettingsCommand } = await import("@aws-sdk/client-lambda");
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand());
    const { ConcurrentExecutions: all = 0, UnreservedConcurrentExecutions: free = 0 } = AccountLimit ?? {};
    const text = `the account may have ${all} environments at once, ${free} of them not reserved`;
    if (all >= USUAL_CONCURRENCY) return ok(text);
    return warn(
      text,
      "Ask for more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000. It may take days.",
    );
  });
