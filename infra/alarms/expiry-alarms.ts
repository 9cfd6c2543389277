import type { Stage } from "../stage.ts";
import type { AlarmDefinition, Metric, Span } from "./alarm.ts";
import { certificateMetric } from "./aws-metrics.ts";
import { ServiceMetrics } from "./service-metrics.ts";

/** Time enough to issue the next one, to hand it over and to try it. */
const DAYS = 30;
/** Both sources report at least once a day. */
const DAILY: Span = { periodS: 86_400, breaching: 1, of: 1 };

const expiring = (name: string, section: string, what: string, metric: Metric): AlarmDefinition => ({
  name: `${section}-${name}`,
  section,
  meaning: `${what} expires in less than ${DAYS} days.`,
  measures: { days: { metric, statistic: "Minimum" } },
  bound: { below: DAYS },
  span: DAILY,
  pages: false,
});

/** The alarms for everything of a stage that expires. */
export function expiryAlarms({ name, domains }: Pick<Stage, "name" | "domains">): readonly AlarmDefinition[] {
  const metrics = new ServiceMetrics(name);
  const ofKind = (kind: string, what: string) =>
    expiring(kind.replaceAll("_", "-"), "expiry", what, metrics.ofKind("DaysToExpiry", kind));
  const { open, mutualTls } = domains ?? {};
  const certificates = {
    open: open?.certificateArn,
    "mutual-tls": mutualTls?.certificateArn,
    ownership: mutualTls?.ownershipVerificationCertificateArn,
  };
  return [
    ofKind("credential", "A credential of a caller"),
    ofKind("client_certificate", "A registered client certificate"),
    ...(mutualTls === undefined ? [] : [ofKind("truststore", "An authority in the truststore")]),
    ...Object.entries(certificates).flatMap(([domain, arn]) =>
      arn === undefined
        ? []
        : [expiring(domain, "certificate", `The certificate ${arn} of a domain`, certificateMetric(arn))],
    ),
  ];
}
