import { type App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";

/**
 * Judges every resource by the AWS Solutions rules; one finding that is not acknowledged beside its resource, with
 * its reason, fails the synthesis.
 */
export function addRuleChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
