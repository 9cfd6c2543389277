import { CfnOutput } from "aws-cdk-lib";
import { CfnApiMapping, type HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Construct } from "constructs";
import type { Stage } from "../stage.ts";

export interface ApiAddressesProps {
  readonly api: HttpApi;
  /** The gateway's stage, as a reference to it. */
  readonly gatewayStageName: string;
  readonly stage: Stage;
}

/**
 * The addresses of the API: the stage's domains, which the domains stack has, or else the gateway's own address. A
 * mapping is the last to come and the first to go, because its path answers 403 without it, and without routes 404.
 */
export class ApiAddresses extends Construct {
  constructor(scope: Construct, id: string, { api, gatewayStageName, stage }: ApiAddressesProps) {
    super(scope, id);
    const { brand, domains } = stage;
    if (domains === undefined) {
      new CfnOutput(scope, "ApiUrl", { value: api.apiEndpoint, description: "Address of the API" });
      return;
    }
    const { open, mutualTls } = domains;
    const mappings = { Open: open, ...(mutualTls !== undefined && { MutualTls: mutualTls }) };
    for (const [name, domain] of Object.entries(mappings)) {
      new CfnApiMapping(this, name, {
        apiId: api.apiId,
        domainName: domain.name,
        stage: gatewayStageName,
        ...(brand.basePath !== "" && { apiMappingKey: brand.basePath.slice(1) }),
      });
    }
  }
}
