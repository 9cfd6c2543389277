import type { Template } from "../synthesize.ts";
import { resourcesOf } from "../synthesize.ts";
import type { MetricData } from "./metric-data.ts";
import { matchesFilter } from "./metric-filter.ts";

/** A line of the access log as a template's format makes it. A variable without a value is `-`, as at the gateway. */
export function accessLine(api: Template, variables: Readonly<Record<string, string>>): string {
  const [stage] = resourcesOf(api, "AWS::ApiGatewayV2::Stage");
  const format: string = stage?.Properties.AccessLogSettings.Format;
  return format.replace(/\$context\.([A-Za-z.]+)/g, (_, name: string) => variables[name] ?? "-");
}

/** Adds what a template's metric filters count in a line of the access log, so many times. */
export function addAccessLine(
  data: MetricData,
  api: Template,
  line: string,
  { atMs, times = 1 }: { readonly atMs: number; readonly times?: number },
): void {
  const members = JSON.parse(line) as Readonly<Record<string, string>>;
  for (const { Properties } of resourcesOf(api, "AWS::Logs::MetricFilter")) {
    if (!matchesFilter(Properties.FilterPattern, line)) continue;
    const [{ MetricNamespace, MetricName, MetricValue, Dimensions }] = Properties.MetricTransformations;
    const dimensions = Object.fromEntries(
      Dimensions.map(({ Key, Value }: Record<string, string>) => [
        Key,
        members[(Value ?? "").slice(2)] ?? "",
      ]),
    );
    data.add({ namespace: MetricNamespace, name: MetricName, dimensions }, atMs, Number(MetricValue), times);
  }
}
