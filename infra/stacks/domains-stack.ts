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
 * The domain names. Their stack outlives the API's, because a name that is made anew has another target, to which its
 * DNS record would have to change. They are not in the data stack, because a domain can only be made once the
 * truststore is in that stack's bucket.
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
