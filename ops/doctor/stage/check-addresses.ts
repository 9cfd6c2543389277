import * as z from "zod/mini";
import { ended } from "../../store/ended.ts";
import { type Found, fail, notChecked, ok, warn } from "../finding.ts";
import { clientOptions, deployText, type StageContext } from "./check-account.ts";

/** Where clients without certificates reach the stage; undefined where that is not known. */
export async function addressOf({ stage, stack }: StageContext): Promise<string | undefined> {
  const { domains, brand } = stage;
  if (domains !== undefined) return `https://${domains.open.name}${brand.basePath}`;
  const { ApiUrl } = (await stack("api")).outputs;
  return ApiUrl;
}

/** An order that no partner has, as nobody can see without a key. */
const PROBE = "/sell-orders/01kdvdna00vzkwfkrqvamzw1gz";

/** How an address is looked at: not for long, and without going on to another. */
export const aLook = () => ({ signal: AbortSignal.timeout(10_000), redirect: "manual" }) as const;

/** The members by which a refusal of ours is known. */
const refusalSchema = z.object({ code: z.string(), error_id: z.string() });

/** Whether the public address answers a request without credentials as only our functions do. */
export async function checkAnswer(address: string, ask: typeof fetch): Promise<Found> {
  const response = await ask(`${address}${PROBE}`, aLook());
  const { data: refusal } = refusalSchema.safeParse(await response.json().catch(() => undefined));
  const code = refusal?.code;
  if (response.status === 401 && code === "invalid_credentials")
    return ok(
      `${address} refuses a request without credentials, with our own 401 (error_id ${refusal?.error_id})`,
    );
  const seen = `${address} answers ${response.status}${code === undefined ? " with a body that is not ours" : ` ${code}`}`;
  if (code === "service_disabled")
    return warn(seen, "The endpoint is switched off: `switch status` says why.");
  if (response.status >= 500) return fail(seen, "docs/runbook.md, Gateway and Failures.");
  return fail(
    seen,
    "The address leads to something else, or the API has no mapping: docs/deployment.md, Deploy.",
  );
}

/** Whether the address for clients with certificates lets nobody in without one. */
export async function checkMutualTls({ stage, fetch: ask }: StageContext): Promise<Found> {
  const { mutualTls } = stage.domains ?? {};
  if (mutualTls === undefined) return ok("the stage asks for no client certificates");
  const address = `https://${mutualTls.name}${stage.brand.basePath}`;
  try {
    const { status } = await ask(`${address}/passes/x`, aLook());
    if (status === 403) return ok(`${address} refuses clients without a certificate (403)`);
    return fail(
      `${address} answers ${status} to a client without a certificate`,
      "Anybody reaches the functions there: deploy the domains again, and see the domain's mutual TLS in the console.",
    );
  } catch (error) {
    const { code = "" } = ((error as Error).cause ?? error) as { readonly code?: string };
    // A refused handshake ends the connection; a name that does not exist says nothing.
    if (/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_SSL)/.test(code))
      return ok(`${address} refuses the handshake without a certificate`);
    throw error;
  }
}

/** Whether the names of the stage's domains lead to its gateway. */
export async function checkNames({ stage, stack, resolve }: StageContext): Promise<readonly Found[]> {
  const { open, mutualTls } = stage.domains ?? {};
  if (open === undefined) return [ok("the stage has no domain of its own")];
  const { outputs } = await stack("domains");
  const targetOf = (prefix: string) =>
    Object.entries(outputs).find(([key]) => key.startsWith(prefix) && !key.startsWith(`${prefix}Zone`))?.[1];
  const names = [
    { name: open.name, target: targetOf("OpenTarget") },
    ...(mutualTls === undefined ? [] : [{ name: mutualTls.name, target: targetOf("MutualTlsTarget") }]),
  ];
  return await Promise.all(names.map(({ name, target }) => judgeName(name, target, resolve)));
}

async function judgeName(
  name: string,
  target: string | undefined,
  resolve: StageContext["resolve"],
): Promise<Found> {
  if (target === undefined) return notChecked(`the domains stack names no target for ${name}`);
  const record = `Point a DNS record of ${name} to ${target} (CNAME, or an alias in Route 53).`;
  const [own, wanted] = await Promise.all([resolve(name).catch(() => []), resolve(target)]);
  if (own.length === 0) return fail(`${name} leads nowhere`, record);
  if (own.some((address) => wanted.includes(address))) return ok(`${name} leads to the gateway`);
  // A content delivery network may stand in front.
  return warn(
    `${name} leads to ${own.join(", ")}, not to the gateway`,
    `${record} Nothing is to do if it leads there through another service.`,
  );
}

const DAY_MS = 86_400_000;
/** As the alarms ring. */
const DAYS_WARNED = 30;
const DAYS_URGENT = 7;

const daysText = (days: number): string => `${days} ${days === 1 ? "day" : "days"}`;

/** Judges something that ends after so many whole days. */
export function judgeDays(name: string, days: number, todo: string): Found {
  if (days < 0) return fail(`${name} has ended`, todo);
  const text = `${name} ends in ${daysText(days)}`;
  if (days < DAYS_URGENT) return fail(text, todo);
  return days < DAYS_WARNED ? warn(text, todo) : ok(text);
}

/** The certificates of the stage's domains in ACM, by their settings. */
const certificatesOf = ({ domains }: StageContext["stage"]): readonly (readonly [string, string])[] =>
  Object.entries({
    [domains?.open.name ?? ""]: domains?.open.certificateArn,
    [domains?.mutualTls?.name ?? ""]: domains?.mutualTls?.certificateArn,
    [`ownership of ${domains?.mutualTls?.name}`]: domains?.mutualTls?.ownershipVerificationCertificateArn,
  }).flatMap(([name, arn]) => (arn === undefined ? [] : [[name, arn] as const]));

/** Whether the domains' certificates are issued and last. */
export async function checkCertificates(context: StageContext): Promise<readonly Found[]> {
  const certificates = certificatesOf(context.stage);
  if (certificates.length === 0) return [ok("the stage has no domain of its own")];
  const { ACMClient, DescribeCertificateCommand } = await import("@aws-sdk/client-acm");
  using client = ended(new ACMClient(clientOptions(context)));
  return await Promise.all(
    certificates.map(async ([name, CertificateArn]) => {
      const { Certificate } = await client.send(new DescribeCertificateCommand({ CertificateArn }));
      const todo = `docs/runbook.md, Certificate: aws acm describe-certificate --certificate-arn ${CertificateArn}`;
      if (Certificate?.Status !== "ISSUED" || Certificate.NotAfter === undefined)
        return fail(`${name}: the certificate is ${Certificate?.Status}`, todo);
      const days = Math.floor((Certificate.NotAfter.getTime() - context.clock()) / DAY_MS);
      return judgeDays(`the certificate of ${name}`, days, todo);
    }),
  );
}

/**
 * How long the authorities of the truststore last, as the scheduled function last reported it. To read the object itself,
 * people would need a permission on the bucket.
 */
export async function checkTruststore({ stage, region, clock }: StageContext): Promise<Found> {
  if (stage.domains?.mutualTls === undefined) return ok("the stage asks for no client certificates");
  const { CloudWatchClient, GetMetricDataCommand } = await import("@aws-sdk/client-cloudwatch");
  using client = ended(new CloudWatchClient(clientOptions({ region })));
  const Dimensions = Object.entries({ stage: stage.name, kind: "truststore" }).map(([Name, Value]) => ({
    Name,
    Value,
  }));
  const Metric = { Namespace: "countinghouse", MetricName: "DaysToExpiry", Dimensions };
  const { MetricDataResults } = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(clock() - 2 * DAY_MS),
      EndTime: new Date(clock()),
      MetricDataQueries: [{ Id: "days", MetricStat: { Metric, Period: 3_600, Stat: "Minimum" } }],
    }),
  );
  const days = MetricDataResults?.[0]?.Values?.[0];
  const todo = "docs/operations.md, Domains and client certificates: upload the next truststore.";
  if (days !== undefined) return judgeDays("an authority of the truststore", days, todo);
  return notChecked(
    "report-expiry has reported no authority for two days",
    `Call it: aws lambda invoke --function-name countinghouse-${stage.name}-report-expiry:live --cli-binary-format raw-in-base64-out --payload '{"job":"expiry"}' /dev/stdout`,
  );
}

/** The topics, by the outputs of the alarms stack. */
const TOPICS = { NoticesTopic: "notify", PagesTopic: "page" } as const;

/** Whether somebody is told when an alarm rings: a subscription counts once its address has confirmed it. */
export async function checkSubscribers(context: StageContext): Promise<readonly Found[]> {
  const { name } = context.stage;
  const { outputs } = await context.stack("alarms");
  const { paginateListSubscriptionsByTopic, SNSClient } = await import("@aws-sdk/client-sns");
  using client = ended(new SNSClient(clientOptions(context)));
  const found: Found[] = [];
  for (const [output, setting] of Object.entries(TOPICS)) {
    const TopicArn = outputs[output as keyof typeof TOPICS];
    if (TopicArn === undefined) {
      found.push(fail(`there is no topic for \`alarms.${setting}\``, `${deployText(name, "alarms")}.`));
      continue;
    }
    const all = [];
    for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn }))
      all.push(...Subscriptions);
    found.push(...judgeTopic(setting, all));
  }
  return found;
}

interface Subscription {
  readonly SubscriptionArn?: string | undefined;
  readonly Endpoint?: string | undefined;
}

function judgeTopic(setting: string, all: readonly Subscription[]): readonly Found[] {
  if (all.length === 0)
    return [
      warn(
        `nobody is told: the topic of \`alarms.${setting}\` has no subscriber`,
        `Give \`alarms.${setting}\` an address in the stage's file and deploy the alarms, or subscribe one to the topic.`,
      ),
    ];
  const waiting = all.filter(({ SubscriptionArn = "" }) => !SubscriptionArn.startsWith("arn:"));
  if (waiting.length === 0) return [ok(`\`alarms.${setting}\` has ${all.length} confirmed`)];
  return waiting.map(({ Endpoint = "an address" }) =>
    warn(
      `${Endpoint} has not confirmed its subscription to \`alarms.${setting}\`, and is told nothing`,
      "Confirm it by the message that AWS sent there; after three days, delete the subscription and deploy the alarms again.",
    ),
  );
}
