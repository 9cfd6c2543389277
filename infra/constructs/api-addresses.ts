import { CfnOutput } from "aws-cdk-lib";
import type { HttpApi, HttpStage } from "aws-cdk-lib/aws-apigatewayv2";
import { Construct } from "constructs";
import type { Stage } from "../stage.ts";
import { ApiDomain } from "./api-domain.ts";
import { MutualTlsDomain } from "./mutual-tls-domain.ts";

export interface ApiAddressesProps {
  readonly api: HttpApi;
  readonly gatewayStage: HttpStage;
  readonly stage: Stage;
}

/** The addresses of the API: the domains that the stage names, or else the gateway's own address. */
export class ApiAddresses extends Construct {
  constructor(scope: Construct, id: string, { api, gatewayStage, stage }: ApiAddressesProps) {
    super(scope, id);
    const { name, brand, domains } = stage;
    if (domains === undefined) {
      new CfnOutput(scope, "ApiUrl", { value: api.apiEndpoint, description: "Address of the API" });
      return;
    }
    const { open, mutualTls } = domains;
    const props = { api, stage: gatewayStage, basePath: brand.basePath };
    new ApiDomain(this, "Open", { ...props, domain: open });
    if (mutualTls === undefined) return;
    new MutualTlsDomain(this, "MutualTls", { ...props, stageName: name, domain: mutualTls });
  }
}
