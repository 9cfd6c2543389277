import { Aws, RemovalPolicy, Validations } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";

/** The bucket's name, by which the domain refers to it: buckets of all accounts share their names. */
export const truststoreBucketName = (stage: string): string =>
  `countinghouse-${stage}-truststore-${Aws.ACCOUNT_ID}`;

/**
 * Holds the truststore, the authorities whose client certificates the gateway lets in. Every version is kept: one of
 * them is in use, and going back to it must be possible.
 */
export class TruststoreBucket extends Construct {
  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id);
    const bucket = new Bucket(this, "Bucket", {
      bucketName: truststoreBucketName(stage),
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(bucket).acknowledge({
      id: "AwsSolutions::AwsSolutions-S1",
      reason:
        "It holds certificates of authorities, which are public, and is read when the domain is deployed; who writes " +
        "to it is in the account's trail. A log bucket would need one of its own.",
    });
  }
}
