import { Duration, Validations } from "aws-cdk-lib";
import { type Alarm, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { ManagedPolicy, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";

export interface GradualReleaseProps {
  /** The aliases whose traffic moves, by the names of their endpoints. */
  readonly aliases: ReadonlyMap<string, Alias>;
  /** The way in which it moves, by CodeDeploy's name without `CodeDeployDefault.Lambda`. */
  readonly shift: string;
}

const POLICY = "service-role/AWSCodeDeployRoleForLambdaLimited";

/**
 * Moves the traffic of each alias step by step to a new version. A function that fails meanwhile moves all of it back
 * and fails the deployment. Every expected fault is an answer, so a failed invocation is a crash.
 */
export class GradualRelease extends Construct {
  constructor(scope: Construct, id: string, { aliases, shift }: GradualReleaseProps) {
    super(scope, id);
    const application = new LambdaApplication(this, "Application");
    const role = this.#addRole();
    const deploymentConfig = LambdaDeploymentConfig.fromLambdaDeploymentConfigName(
      this,
      "Shift",
      `CodeDeployDefault.Lambda${shift}`,
    );
    for (const [name, alias] of aliases) {
      const alarms = [this.#addAlarm(name, alias)];
      new LambdaDeploymentGroup(this, name, { application, role, alias, deploymentConfig, alarms });
    }
  }

  #addRole(): Role {
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(POLICY)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${POLICY}]`,
      reason: "AWS keeps this policy for just this work: to move aliases, and to read their alarms.",
    });
    return role;
  }

  #addAlarm(name: string, alias: Alias): Alarm {
    return alias
      .metricErrors({ period: Duration.minutes(1), statistic: "Sum" })
      .createAlarm(this, `${name}-crashed`, {
        alarmDescription: `${name} failed while its new version got traffic`,
        threshold: 1,
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
  }
}
