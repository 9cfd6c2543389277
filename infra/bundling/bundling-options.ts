import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { BuildOptions } from "esbuild";
import { type ReplacedModule, standIns } from "./stand-ins.ts";

/** The top of the project. */
export const projectRoot = resolve(import.meta.dirname, "../..");

/** Where this folder is for esbuild, which runs at the top of the project. */
const HERE = "./infra/bundling";

/**
 * What all bundles have in common: modules come before CommonJS, because of them only the used parts are taken in. Where
 * one is needed before another, as `reflect-metadata` before the library of certificates, only CommonJS keeps that order.
 */
export const forNode = {
  bundle: true,
  platform: "node",
  mainFields: ["module", "main"],
  alias: {
    "node:http": "./infra/plain-http.ts",
    "@peculiar/x509": "@peculiar/x509/build/x509.cjs.js",
  },
} as const satisfies BuildOptions;

/** The file that esbuild takes for each of these modules. */
const aliasesOf = (replaced: readonly ReplacedModule[]): Record<string, string> =>
  Object.fromEntries(replaced.map((module) => [module, `${HERE}/${standIns[module]}`]));

/** How a function names itself to DynamoDB, where CloudTrail and AWS Support see it: its version, and that of its client's parts. */
export function userAgent(): string {
  const { version, dependencies } = JSON.parse(readFileSync(resolve(projectRoot, "package.json"), "utf8"));
  return `countinghouse/${version} md/smithy#${dependencies["@smithy/core"]}`;
}

/** How the code of functions becomes one file for each, with stand-ins for these modules of the SDK and for no other. */
export const bundlingOptions = (replaced: readonly ReplacedModule[]) =>
  ({
    ...forNode,
    absWorkingDir: projectRoot,
    // Where node_modules is a link, source maps would name the folder that it leads to.
    preserveSymlinks: true,
    format: "esm",
    target: "node24",
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    alias: { ...forNode.alias, ...aliasesOf(replaced) },
    define: { USER_AGENT: JSON.stringify(userAgent()) },
    logLevel: "warning",
  }) as const satisfies BuildOptions;
