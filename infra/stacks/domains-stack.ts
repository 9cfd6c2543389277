import { Stack, type StackProps } from "aws-cdk-lib";
import { Bucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { ClientDomain } from "../constructs/client-domain.ts";
import { truststoreBucketName } from "../constructs/truststore-bucket.ts";
import type { Domains, MutualTlsSettings } from "../domains.ts";

export interface DomainsStackProps extends StackProps {
  readonly domains: Domains;
  /** Name of the stage, whose data stack has the truststore's bucket. */
  readonly stageName: string;
}

/**
 * The domain names, in a stack that outlives the API's: made anew, a name gets another target, and its DNS record would
 * have to change. The truststore must be in its bucket before a domain can read it, so the data stack is not the place.
 */
export class DomainsStack extends Stack {
  constructor(scope: Construct, id: string, { domains, stageName, ...props }: DomainsStackProps) {
    super(scope, id, props);
    new ClientDomain(this, "Open", { domain: domains.open });
    if (domains.mutualTls !== undefined) this.#addMutualTls(domains.mutualTls, stageName);
  }

  /**
   * A domain whose clients must show a certificate of an authority in the truststore. The gateway refuses other clients,
   * in the handshake or with a 403 of its own. The function decides which caller a certificate belongs to.
   */
  #addMutualTls(domain: MutualTlsSettings, stageName: string): void {
    const { truststoreKey: key, truststoreVersion: version } = domain;
    const bucket = Bucket.fromBucketName(this, "Truststore", truststoreBucketName(this, stageName));
    new ClientDomain(this, "MutualTls", {
      domain,
      mtls: { bucket, key, ...(version !== undefined && { version }) },
      ownershipCertificateArn: domain.ownershipVerificationCertificateArn,
    });
  }
}
