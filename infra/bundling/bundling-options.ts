import { type BundlingOptions, LogLevel, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { type ReplacedModule, standIns } from "./stand-ins.ts";

/** Where this folder is for esbuild, which runs at the top of the project. */
const HERE = "./infra/bundling";

/** The file that esbuild takes for each of these modules. */
export const aliasesOf = (replaced: readonly ReplacedModule[]): Readonly<Record<string, string>> =>
  Object.fromEntries(replaced.map((module) => [module, `${HERE}/${standIns[module]}`]));

/** How the code of a function becomes one file, with stand-ins for these modules of the SDK and for no other. */
export const bundlingOptions = (replaced: readonly ReplacedModule[]): BundlingOptions => ({
  format: OutputFormat.ESM,
  target: "node24",
  mainFields: ["module", "main"],
  bundleAwsSDK: true,
  minify: true,
  sourceMap: true,
  sourcesContent: false,
  logLevel: LogLevel.WARNING,
  esbuildArgs: Object.fromEntries(
    Object.entries(aliasesOf(replaced)).map(([module, file]) => [`--alias:${module}`, file]),
  ),
});
