import { type Found, fail, ok, warn } from "../finding.ts";
import type { StageContext } from "./stage-context.ts";

const SETTLED = new Set([
  "CREATE_COMPLETE",
  "UPDATE_COMPLETE",
  "IMPORT_COMPLETE",
  "UPDATE_ROLLBACK_COMPLETE",
]);

/** Whether every stack of the stage is deployed, and no deployment failed or is under way. */
export async function checkStacks({ stage, stack }: StageContext): Promise<readonly Found[]> {
  const parts = ["data", ...(stage.domains === undefined ? [] : ["domains"]), "api", "alarms", "operators"];
  const states = await Promise.all(parts.map(async (part) => [part, (await stack(part)).status] as const));
  const faults = states.flatMap(([part, status]): readonly Found[] => {
    const name = `countinghouse-${stage.name}-${part}`;
    if (status !== undefined && SETTLED.has(status)) return [];
    if (status === undefined)
      return [
        fail(
          `${name} is not there`,
          `npx cdk deploy --all -c stage=${stage.name} --import-existing-resources`,
        ),
      ];
    if (status.endsWith("_IN_PROGRESS"))
      return [warn(`${name} is ${status}`, "A deployment is under way: look again when it has ended.")];
    return [fail(`${name} is ${status}`, "docs/deployment.md, When a deployment fails.")];
  });
  return faults.length > 0 ? faults : [ok(`${parts.join(", ")} are deployed`)];
}
