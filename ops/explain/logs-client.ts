import { makeBuilder } from "@smithy/core/client";
import { getEndpointPlugin } from "@smithy/core/endpoints";
import { clientOptions } from "../doctor/stage/check-account.ts";
import { ended } from "../store/ended.ts";

/** The calls of CloudWatch Logs that a search makes. The operators' job Incidents allows them. */
export const logCalls = ["DescribeQueryDefinitions", "StartQuery", "GetQueryResults"] as const;

/** Makes a call, and resolves to its answer. @throws {Error} by AWS's name of the fault. */
export type AskLogs = (call: (typeof logCalls)[number], input: object) => Promise<unknown>;

const NAMESPACE = "com.amazonaws.cloudwatchlogs";
/** The SDK's number for any JSON. */
const DOCUMENT = () => 15 as const;

/**
 * Asks CloudWatch Logs with the operator's credentials. Its own client is not among the packages: that of ACM, which has
 * the same protocol, and the same hosts but for the first word, is told whom it asks.
 */
export async function openLogs(region: string | undefined) {
  const { ACMClient, ListCertificatesCommand } = await import("@aws-sdk/client-acm");
  const service = {
    serviceId: "CloudWatch Logs",
    signingName: "logs",
    protocolSettings: { defaultNamespace: NAMESPACE, serviceTarget: "Logs_20140328" },
  };
  const client = ended(new ACMClient({ ...clientOptions({ region }), ...service }));
  const { endpointProvider } = client.config;
  client.config.endpointProvider = (given, context) => {
    const found = endpointProvider(given, context);
    if (given.Endpoint !== undefined) return found;
    return { ...found, url: new URL(found.url.href.replace("//acm", "//logs")) };
  };
  const parameters = ListCertificatesCommand.getEndpointParameterInstructions();
  const command = makeBuilder(parameters, "Logs", "Logs", getEndpointPlugin);
  const ask: AskLogs = async (call, input) =>
    await client.send(new (command({}, () => [], call, [9, NAMESPACE, call, 0, DOCUMENT, DOCUMENT]))(input));
  return Object.assign(client, { ask });
}
