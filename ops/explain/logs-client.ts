import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { HttpRequest } from "@smithy/core/protocols";
import { retryMiddleware } from "@smithy/core/retry";
import { SignatureV4 } from "@smithy/signature-v4";
import * as z from "zod/mini";
import { clientOptions } from "../doctor/stage/check-account.ts";
import { ended } from "../store/ended.ts";
import { environmentLogsEndpoint } from "../store/store-options.ts";

/** The calls of CloudWatch Logs that a search makes. The operators' job Incidents allows them. */
export const logCalls = ["DescribeQueryDefinitions", "StartQuery", "GetQueryResults"] as const;

/** Makes a call, and resolves to its answer. @throws {Error} by AWS's name of the fault. */
export type AskLogs = (call: (typeof logCalls)[number], input: object) => Promise<unknown>;

interface Logs {
  readonly endpoint: () => Promise<URL>;
  readonly ask: AskLogs;
}

/**
 * Asks CloudWatch Logs with the operator's credentials. Its own client is not among the packages: the one of CloudWatch,
 * whose hosts have the same names but for the first word, supplies region, credentials, connections and repetitions.
 */
export async function openLogs(region: string | undefined): Promise<Logs & Disposable> {
  const { CloudWatchClient } = await import("@aws-sdk/client-cloudwatch");
  const client = ended(new CloudWatchClient(clientOptions({ region })));
  const { config } = client;
  const signer = new SignatureV4({ ...config, service: "logs" });
  const repeated = retryMiddleware(config);
  const attempt = async (args: { readonly request: unknown }) => {
    const signed = await signer.sign(args.request as HttpRequest);
    const { response } = await config.requestHandler.handle(signed as HttpRequest);
    const body = await text(response.body as IncomingMessage);
    if (response.statusCode !== 200) throw refusalIn(body, response.statusCode);
    return { response, output: { ...(JSON.parse(body) as object), $metadata: {} } };
  };
  const endpoint = () => endpointOf(config);
  return {
    endpoint,
    ask: async (call, input) => {
      const request = requestOf(await endpoint(), call, JSON.stringify(input));
      const { output } = await repeated(attempt, {})({ request, input });
      return output;
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

type Config = InstanceType<typeof import("@aws-sdk/client-cloudwatch")["CloudWatchClient"]>["config"];

async function endpointOf(config: Config): Promise<URL> {
  const given = environmentLogsEndpoint();
  if (given !== undefined) return new URL(given);
  const [Region, UseFIPS, UseDualStack] = await Promise.all([
    config.region(),
    config.useFipsEndpoint(),
    config.useDualstackEndpoint(),
  ]);
  const { url } = config.endpointProvider({ Region, UseFIPS, UseDualStack });
  return new URL(url.href.replace("//monitoring", "//logs"));
}

const requestOf = ({ protocol, hostname, port, host }: URL, call: string, body: string): HttpRequest =>
  new HttpRequest({
    method: "POST",
    protocol,
    hostname,
    ...(port !== "" && { port: Number(port) }),
    headers: {
      host,
      "content-type": "application/x-amz-json-1.1",
      "content-length": String(Buffer.byteLength(body)),
      "x-amz-target": `Logs_20140328.${call}`,
    },
    body,
  });

const refusal = z.object({
  __type: z.optional(z.string()),
  message: z.optional(z.string()),
  Message: z.optional(z.string()),
});

/** The error that a refusal is, with what decides whether it is repeated. */
function refusalIn(body: string, httpStatusCode: number): Error {
  const { __type = "", message, Message } = membersIn(body);
  const error = new Error(message ?? Message ?? `CloudWatch Logs answered ${httpStatusCode}`);
  error.name = /[^#:/]+$/.exec(__type.replace(/:http.*$/, ""))?.[0] ?? "ServiceUnavailable";
  return Object.assign(error, { $metadata: { httpStatusCode } });
}

function membersIn(body: string): z.infer<typeof refusal> {
  try {
    return refusal.safeParse(JSON.parse(body)).data ?? {};
  } catch {
    return {};
  }
}
