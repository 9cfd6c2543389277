import { type BundlingOptions, LogLevel, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";

/** From the top of the project, where esbuild runs. */
const HERE = "./infra/bundling";

/** What a bundle carries in place of parts of the SDK that a function never uses, or has a shorter way to. */
const STAND_INS: Readonly<Record<string, string>> = {
  "@aws-sdk/credential-provider-node": "environment-credentials.ts",
  "@aws-sdk/middleware-endpoint-discovery": "absent-endpoint-discovery.ts",
  "@aws/lambda-invoke-store": "absent-invoke-store.ts",
  "@smithy/core/checksum": "platform-checksum.ts",
  "@smithy/core/config": "environment-config.ts",
  "@smithy/core/event-streams": "absent-event-streams.ts",
};

/** How the code of a function becomes one file. */
export const bundlingOptions: BundlingOptions = {
  format: OutputFormat.ESM,
  target: "node24",
  mainFields: ["module", "main"],
  bundleAwsSDK: true,
  minify: true,
  sourceMap: true,
  sourcesContent: false,
  logLevel: LogLevel.WARNING,
  esbuildArgs: Object.fromEntries(
    Object.entries(STAND_INS).map(([module, file]) => [`--alias:${module}`, `${HERE}/${file}`]),
  ),
};
