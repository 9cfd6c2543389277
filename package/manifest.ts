/** What the package's manifest takes from the project's. */
export interface ProjectManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** How programs import the package, where it can be imported. */
const EXPORTS = {
  ".": {
    types: "./types/index.d.ts",
    import: "./code/index.mjs",
    require: "./code/index.cjs",
  },
} as const;

/** The package's `package.json`. It has no dependencies: everything that runs is bundled, native code included. */
export const manifestOf = (
  { name, version, description, license }: ProjectManifest,
  hasEmbedding: boolean,
): object => ({
  name,
  version,
  description,
  license,
  keywords: [
    "sandbox",
    "local-server",
    "mock-server",
    "dynamodb",
    "lambda",
    "api-gateway",
    "ed25519",
    "oauth2",
  ],
  type: "module",
  engines: { node: ">=22.15" },
  bin: { [name]: "code/cli.mjs" },
  exports: { ...(hasEmbedding && EXPORTS), "./package.json": "./package.json" },
});
