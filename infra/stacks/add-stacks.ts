import type { App, StackProps } from "aws-cdk-lib";
import type { Stage } from "../stage.ts";
import { ApiStack } from "./api-stack.ts";
import { DataStack } from "./data-stack.ts";

/** Adds the stacks of one deployment to an app: first the data, then the API that serves it. */
export function addStacks(app: App, stage: Stage): { readonly data: DataStack; readonly api: ApiStack } {
  const props: StackProps = {
    env: {
      ...(stage.account !== undefined && { account: stage.account }),
      ...(stage.region !== undefined && { region: stage.region }),
    },
    terminationProtection: !stage.disposable,
    tags: { project: "countinghouse", stage: stage.name },
  };
  const data = new DataStack(app, `countinghouse-${stage.name}-data`, stage, {
    ...props,
    description: "countinghouse: tables",
  });
  const api = new ApiStack(app, `countinghouse-${stage.name}-api`, stage, {
    ...props,
    description: "countinghouse: HTTP API and its functions",
  });
  api.addStackDependency(data, "functions name the tables");
  return { data, api };
}
