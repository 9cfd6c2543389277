import { Stack, Validations } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { Stage } from "../stage.ts";
import { removalPolicyOf } from "./removal-policy.ts";

/**
 * The bucket's name, by which the domain refers to it. It has the account and the region, because no two buckets of AWS
 * share a name.
 */
export function truststoreBucketName(scope: Construct, stageName: string): string {
  const { account, region } = Stack.of(scope);
  return `countinghouse-${stageName}-truststore-${account}-${region}`;
}

/**
 * Holds the truststore: the authorities whose client certificates the gateway admits. Every version is kept, because a
 * domain may use an older one and must be able to go back to it.
 */
export class TruststoreBucket extends Construct {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const bucket = new Bucket(this, "Bucket", {
      bucketName: truststoreBucketName(this, stage.name),
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: removalPolicyOf(stage),
    });
    Validations.of(bucket).acknowledge({
      id: "AwsSolutions::AwsSolutions-S1",
      reason:
        "The bucket holds public certificates of authorities, and is read only when the domain is deployed. " +
        "A bucket for its access log would need an access log too.",
    });
  }
}
