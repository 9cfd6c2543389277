import { CfnOutput } from "aws-cdk-lib";
import { DomainName, EndpointType, type MTLSConfig, SecurityPolicy } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { Construct } from "constructs";
import type { DomainSettings } from "../domains.ts";

export interface ClientDomainProps {
  readonly domain: DomainSettings;
  /** The truststore of a domain that asks for client certificates. */
  readonly mtls?: MTLSConfig;
  /** The certificate that proves the ownership of the domain, where the domain's own certificate does not. */
  readonly ownershipCertificateArn?: string | undefined;
}

/** A domain name under which clients reach the API. The operator adds its DNS record, with the outputs as the target. */
export class ClientDomain extends Construct {
  constructor(scope: Construct, id: string, props: ClientDomainProps) {
    super(scope, id);
    const { domain, mtls, ownershipCertificateArn } = props;
    const certificateOf = (name: string, arn: string) => Certificate.fromCertificateArn(this, name, arn);
    const { regionalDomainName, regionalHostedZoneId } = new DomainName(this, "Domain", {
      domainName: domain.name,
      certificate: certificateOf("Certificate", domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      ...(mtls !== undefined && { mtls }),
      ...(ownershipCertificateArn !== undefined && {
        ownershipCertificate: certificateOf("OwnershipCertificate", ownershipCertificateArn),
      }),
    });
    new CfnOutput(this, "Target", {
      value: regionalDomainName,
      description: `Target of the DNS record for ${domain.name}`,
    });
    new CfnOutput(this, "TargetZone", {
      value: regionalHostedZoneId,
      description: `Hosted zone of the target, which a Route 53 alias record for ${domain.name} needs`,
    });
  }
}
