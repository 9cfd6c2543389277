import { type Found, fail, notChecked, ok, warn } from "../finding.ts";
import { clientOptions, type StageContext } from "./stage-context.ts";

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
  const client = new ACMClient(clientOptions(context));
  try {
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
  } finally {
    client.destroy();
  }
}

/**
 * How long the authorities of the truststore last, as the scheduled function last reported it. To read the object itself,
 * people would need a permission on the bucket.
 */
export async function checkTruststore({ stage, region, clock }: StageContext): Promise<Found> {
  if (stage.domains?.mutualTls === undefined) return ok("the stage asks for no client certificates");
  const { CloudWatchClient, GetMetricDataCommand } = await import("@aws-sdk/client-cloudwatch");
  const client = new CloudWatchClient(clientOptions({ region }));
  const Dimensions = Object.entries({ stage: stage.name, kind: "truststore" }).map(([Name, Value]) => ({
    Name,
    Value,
  }));
  const Metric = { Namespace: "countinghouse", MetricName: "DaysToExpiry", Dimensions };
  try {
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
  } finally {
    client.destroy();
  }
}
