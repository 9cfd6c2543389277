import { type App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";

/**
 * Checks every resource by the AWS Solutions rules. A finding fails the synthesis unless it is acknowledged, with a
 * reason, beside its resource.
 */
export function addRuleChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
