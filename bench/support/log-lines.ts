/** Bytes that CloudWatch counts for each line beside its text (CloudWatch Logs, "PutLogEvents"). */
const LINE_OVERHEAD_BYTES = 26;

/** What CloudWatch counts for lines of a log. */
export const loggedBytes = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + LINE_OVERHEAD_BYTES, 0);

const REQUEST_ID = "79b4f56e-95b1-4643-9700-2807f4e68189";

/**
 * The lines that Lambda itself writes for a request in the JSON format (Lambda developer guide, "Lambda Telemetry API
 * Event schema reference"), with values of usual lengths.
 */
export const PLATFORM_LINES: readonly string[] = [
  { type: "platform.start", record: { requestId: REQUEST_ID, version: "12" } },
  {
    type: "platform.report",
    record: {
      requestId: REQUEST_ID,
      metrics: { durationMs: 12.345, billedDurationMs: 13, memorySizeMB: 1024, maxMemoryUsedMB: 112 },
      status: "success",
    },
  },
].map((event) => JSON.stringify({ time: "2026-11-28T18:00:00.000Z", ...event }));

/** Lengths of values of the gateway's access log. A variable that is not listed counts as a dash, as an absent value is logged. */
const VALUE_BYTES: Readonly<Record<string, number>> = {
  requestId: 16,
  requestTime: 26,
  routeKey: 32,
  status: 3,
  responseLength: 4,
  responseLatency: 2,
  integrationLatency: 2,
  integrationStatus: 3,
  protocol: 8,
  domainName: 24,
  "identity.sourceIp": 14,
  "integration.requestId": REQUEST_ID.length,
};

/**
 * A line of the gateway's access log in this format, with values of usual lengths.
 *
 * @example
 * accessLineOf('{"status":"$context.status"}') // → '{"status":"***"}'
 */
export const accessLineOf = (format: string): string =>
  format.replace(/\$context\.([\w.]+)/g, (_, name: string) => "*".repeat(VALUE_BYTES[name] ?? 1));
