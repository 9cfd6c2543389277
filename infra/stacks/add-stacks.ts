import { type App, type Stack, type StackProps, Tags } from "aws-cdk-lib";
import type { Stage } from "../stage.ts";
import { AlarmsStack } from "./alarms-stack.ts";
import { ApiStack } from "./api-stack.ts";
import { DataStack } from "./data-stack.ts";
import { DomainsStack } from "./domains-stack.ts";
import { OperatorsStack } from "./operators-stack.ts";

/** Adds the stacks of one deployment to an app, in their order: the data, the domains, the API that serves it, alarms, operators. */
export function addStacks(app: App, stage: Stage): readonly Stack[] {
  const tags = { project: "countinghouse", stage: stage.name };
  const props: StackProps = {
    tags,
    env: {
      ...(stage.account !== undefined && { account: stage.account }),
      ...(stage.region !== undefined && { region: stage.region }),
    },
    terminationProtection: !stage.disposable,
  };
  const idOf = (part: string) => `countinghouse-${stage.name}-${part}`;
  const description = "countinghouse: ";
  const data = new DataStack(app, idOf("data"), stage, { ...props, description: `${description}tables` });
  const domains = addDomains(app, idOf("domains"), stage, {
    ...props,
    description: `${description}domain names`,
  });
  const api = new ApiStack(app, idOf("api"), stage, {
    ...props,
    description: `${description}HTTP API and its functions`,
  });
  const alarms = new AlarmsStack(app, idOf("alarms"), stage, {
    ...props,
    description: `${description}alarms and dashboard`,
  });
  const operators = new OperatorsStack(app, idOf("operators"), stage, {
    ...props,
    description: `${description}policies of operators`,
  });
  api.addStackDependency(data, "functions name the tables");
  alarms.addStackDependency(api, "before the API there is nothing to look after");
  for (const stack of domains) {
    stack.addStackDependency(data, "the truststore is in its bucket");
    api.addStackDependency(stack, "mappings name the domains");
  }
  const stacks = [data, ...domains, api, alarms, operators];
  for (const stack of stacks) addTags(stack, tags);
  return stacks;
}

function addDomains(app: App, id: string, { name, domains }: Stage, props: StackProps): readonly Stack[] {
  return domains === undefined ? [] : [new DomainsStack(app, id, { ...props, domains, stageName: name })];
}

/** CloudFormation learnt to tag dashboards only lately; tools that judge templates do not know it yet. */
const UNTAGGED = ["AWS::CloudWatch::Dashboard"];

/** Tags everything in a stack. The stack's own tags would not reach the replicas of a table, which have tags of theirs. */
function addTags(stack: Stack, tags: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(tags))
    Tags.of(stack).add(key, value, { excludeResourceTypes: UNTAGGED });
}
