import type { App, Stack } from "aws-cdk-lib";
import type { Stage } from "../stage.ts";
import { addServedStacks, addTags, stackArguments } from "./add-served-stacks.ts";
import { AlarmsStack } from "./alarms-stack.ts";
import { OperatorsStack } from "./operators-stack.ts";

/** Adds the stacks of one deployment to an app, in their order: the data, the domains, the API, alarms, operators. */
export function addStacks(app: App, stage: Stage): readonly Stack[] {
  const { data, domains, api } = addServedStacks(app, stage);
  const alarms = new AlarmsStack(app, ...stackArguments(stage, "alarms", "alarms and dashboard"));
  alarms.addStackDependency(api, "before the API there is nothing to look after");
  addTags(stage, [alarms]);
  return [data, ...domains, api, alarms, addOperatorsStack(app, stage)];
}

/** Adds the policies of operators, which need no other stack. */
export function addOperatorsStack(app: App, stage: Stage): Stack {
  const operators = new OperatorsStack(app, ...stackArguments(stage, "operators", "policies of operators"));
  addTags(stage, [operators]);
  return operators;
}
