import { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { MutualTlsSettings } from "../domains.ts";
import { ApiDomain, type ApiDomainProps } from "./api-domain.ts";
import { truststoreBucketName } from "./truststore-bucket.ts";

export interface MutualTlsDomainProps extends Omit<ApiDomainProps, "mtls"> {
  readonly domain: MutualTlsSettings;
  /** Name of the stage, whose data stack has the truststore's bucket. */
  readonly stageName: string;
}

/**
 * A domain whose clients must show a certificate of an authority in the truststore. The gateway refuses other clients,
 * in the handshake or with a 403 of its own. The function decides which caller a certificate belongs to.
 */
export class MutualTlsDomain extends Construct {
  constructor(scope: Construct, id: string, { stageName, domain, ...props }: MutualTlsDomainProps) {
    super(scope, id);
    const { truststoreKey: key, truststoreVersion: version } = domain;
    const bucket = Bucket.fromBucketName(this, "Truststore", truststoreBucketName(stageName));
    const mtls = { bucket, key, ...(version !== undefined && { version }) };
    new ApiDomain(this, "ApiDomain", { ...props, domain, mtls });
  }
}
