import { Stack, Validations } from "aws-cdk-lib";
import type { PolicyDocument } from "aws-cdk-lib/aws-iam";
import type { IConstruct } from "constructs";

/** Part of an ARN as the rules of AWS Solutions print it: `<AWS::Region>` for what only the deployment knows. */
type ArnPart = string | { readonly Ref: string };

/** An ARN in a template: text, joined text, or an attribute of a resource, which has no pattern. */
type Arn = string | { readonly "Fn::Join"?: readonly [string, readonly ArnPart[]] };

const partsOf = (arn: Arn): readonly ArnPart[] =>
  typeof arn === "string" ? [arn] : (arn["Fn::Join"]?.[1] ?? []);

/** Answers the rule against wildcards for the statements of a policy that name resources by the stage's prefix. */
export function acknowledgeNamePatterns(policy: IConstruct & { readonly document: PolicyDocument }): void {
  const { Statement } = Stack.of(policy).resolve(policy.document);
  const arns = (Statement as readonly { readonly Resource: Arn | readonly Arn[] }[]).flatMap(
    ({ Resource }) => Resource,
  );
  for (const each of arns) {
    const arn = partsOf(each)
      .map((part) => (typeof part === "string" ? part : `<${part.Ref}>`))
      .join("");
    if (!arn.includes("*") || arn === "*") continue;
    Validations.of(policy).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::${arn}]`,
      reason:
        "CloudFormation, API Gateway, restorations and uploads of truststores end these names. The beginning, or the tags, are this stage's alone.",
    });
  }
}
