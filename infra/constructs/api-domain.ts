import { CfnOutput } from "aws-cdk-lib";
import {
  ApiMapping,
  type ApiMappingProps,
  DomainName,
  EndpointType,
  type IStage,
  type MTLSConfig,
  SecurityPolicy,
} from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { Construct } from "constructs";
import type { DomainSettings } from "../domains.ts";

export interface ApiDomainProps extends Pick<ApiMappingProps, "api"> {
  readonly stage: IStage;
  readonly domain: DomainSettings;
  /** The path before every route, such as `/api`; empty at the root. */
  readonly basePath: string;
  /** The truststore of a domain that asks for client certificates. */
  readonly mtls?: MTLSConfig;
}

/** A domain name under which clients reach the API. The operator adds its DNS record, with the output as the target. */
export class ApiDomain extends Construct {
  constructor(scope: Construct, id: string, { api, stage, domain, basePath, mtls }: ApiDomainProps) {
    super(scope, id);
    const domainName = new DomainName(this, "Domain", {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, "Certificate", domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      ...(mtls !== undefined && { mtls }),
    });
    new ApiMapping(this, "Mapping", {
      api,
      domainName,
      stage,
      ...(basePath !== "" && { apiMappingKey: basePath.slice(1) }),
    });
    new CfnOutput(this, "Target", {
      value: domainName.regionalDomainName,
      description: `Target of the DNS record for ${domain.name}`,
    });
  }
}
