import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { UPKEEP_NAME } from "../../lib/upkeep/settings.ts";
import { resourcesOf, synthesize, testStage } from "../../test/support/synthesize.ts";

/** A function's code as it is deployed, and the environment that its template gives it. */
export interface DeployedBundle {
  readonly file: string;
  readonly bytes: number;
  readonly environment: Readonly<Record<string, string>>;
}

const PREFIX = "countinghouse-test-";

/** The bundle of every function that requests reach, by its name, built as for a deployment. */
export function deployedBundles(jwksUrl: string): ReadonlyMap<string, DeployedBundle> {
  const token = { issuer: "https://identity.test", audience: "https://api.test/business", jwksUrl };
  const idType = { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2027-07-01T00:00:00Z" };
  const { api, directory } = synthesize(testStage({ business: { token, idType } }), {
    bundles: true,
  });
  return new Map(
    resourcesOf(api, "AWS::Lambda::Function").flatMap(({ Properties }) => {
      const name = String(Properties.FunctionName).slice(PREFIX.length);
      if (name === UPKEEP_NAME) return [];
      const asset = `asset.${path.basename(Properties.Code.S3Key, ".zip")}`;
      const file = path.join(directory, asset, "index.mjs");
      const given: Record<string, string> = Properties.Environment.Variables;
      // One issuer signs the tokens of every interface here.
      const environment = "TOKEN_JWKS_URL" in given ? { ...given, TOKEN_JWKS_URL: jwksUrl } : given;
      return [[name, { file, bytes: readFileSync(file).length, environment }] as const];
    }),
  );
}

/** A peer's bundle, built with esbuild's defaults for Node: CommonJS that includes every dependency. */
export async function peerBundle(name: string): Promise<{ readonly file: string; readonly bytes: number }> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "countinghouse-bench-")), "index.cjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "..", "peers", name)],
    outfile: file,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    logLevel: "warning",
  });
  return { file, bytes: readFileSync(file).length };
}
