import { type App, type Stack, type StackProps, Tags } from "aws-cdk-lib";
import type { Stage } from "../stage.ts";
import { ApiStack } from "./api-stack.ts";
import { DataStack } from "./data-stack.ts";
import { DomainsStack } from "./domains-stack.ts";

const tagsOf = (stage: Stage) => ({ project: "countinghouse", stage: stage.name });

/** The properties that all stacks of a stage have in common. */
const propsOf = (stage: Stage): StackProps => ({
  tags: tagsOf(stage),
  env: {
    ...(stage.account !== undefined && { account: stage.account }),
    ...(stage.region !== undefined && { region: stage.region }),
  },
  terminationProtection: !stage.disposable,
});

/** The arguments of a stack's constructor, after the app. Its description says what it `holds`. */
export const stackArguments = (stage: Stage, part: string, holds: string) =>
  [
    `countinghouse-${stage.name}-${part}`,
    stage,
    { ...propsOf(stage), description: `countinghouse: ${holds}` },
  ] as const;

/** CloudFormation learnt to tag dashboards only lately; tools that judge templates do not know it yet. */
const UNTAGGED = ["AWS::CloudWatch::Dashboard"];

/** Tags everything in stacks. A stack's own tags would not reach the replicas of a table, which have tags of theirs. */
export function addTags(stage: Stage, stacks: readonly Stack[]): void {
  for (const stack of stacks)
    for (const [key, value] of Object.entries(tagsOf(stage)))
      Tags.of(stack).add(key, value, { excludeResourceTypes: UNTAGGED });
}

/** The stacks that answer requests, in the order in which they are deployed. */
export interface ServedStacks {
  readonly data: Stack;
  /** Empty for a stage without domain names. */
  readonly domains: readonly Stack[];
  readonly api: Stack;
}

/**
 * Adds the stacks without which no request is answered: the data, the domains and the API. They are all that
 * `npm start` needs, and their templates are the same with and without the stacks that `addStacks` adds to them.
 */
export function addServedStacks(app: App, stage: Stage): ServedStacks {
  const data = new DataStack(app, ...stackArguments(stage, "data", "tables"));
  const domains = addDomains(app, stage);
  const api = new ApiStack(app, ...stackArguments(stage, "api", "HTTP API and its functions"));
  api.addStackDependency(data, "functions name the tables");
  for (const stack of domains) {
    stack.addStackDependency(data, "the truststore is in its bucket");
    api.addStackDependency(stack, "mappings name the domains");
  }
  addTags(stage, [data, ...domains, api]);
  return { data, domains, api };
}

function addDomains(app: App, stage: Stage): readonly Stack[] {
  const { domains, name: stageName } = stage;
  if (domains === undefined) return [];
  const [id, , props] = stackArguments(stage, "domains", "domain names");
  return [new DomainsStack(app, id, { ...props, domains, stageName })];
}
