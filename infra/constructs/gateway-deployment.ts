import { createHash } from "node:crypto";
import { type CfnResource, Stack } from "aws-cdk-lib";
import { CfnApi, CfnDeployment, CfnIntegration, CfnRoute, type HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Construct, type IConstruct } from "constructs";

/** What a deployment takes its snapshot of. */
const isInSnapshot = (construct: unknown): construct is CfnResource =>
  construct instanceof CfnApi || construct instanceof CfnRoute || construct instanceof CfnIntegration;

/** The CDK computes the ids of its own deployments and versions from this member, which its types leave out. */
const templateOf = (resource: CfnResource): object =>
  (resource as unknown as { _toCloudFormation(): object })._toCloudFormation();

export interface GatewayDeploymentProps {
  readonly api: HttpApi;
  /** All routes of the API. */
  readonly routes: readonly IConstruct[];
}

/**
 * A snapshot of all routes of an API, for its stage to serve. Its id follows from what is in it, so that every change
 * makes a new snapshot, which exists only when all routes do. A stage that deploys each route by itself would answer
 * 404 for those that are still to come.
 */
export class GatewayDeployment extends Construct {
  readonly deploymentId: string;

  constructor(scope: Construct, id: string, { api, routes }: GatewayDeploymentProps) {
    super(scope, id);
    const parts = api.node.findAll().filter(isInSnapshot);
    const snapshot = JSON.stringify(Stack.of(this).resolve(parts.map(templateOf)));
    const digest = createHash("sha256").update(snapshot).digest("hex").slice(0, 16);
    const deployment = new CfnDeployment(this, digest, { apiId: api.apiId });
    // With each route come its integration and its permission to call the function; without them a route answers 500.
    deployment.node.addDependency(...routes);
    this.deploymentId = deployment.ref;
  }
}
