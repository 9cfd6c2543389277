/** The oldest Node.js that runs the package: the first of the line 22 with Zstandard, which the functions compress with. */
export const OLDEST_NODE = "22.15";

/** What the package's manifest takes from the project's. */
export interface ProjectManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Absent but for a release, which is of the repository that it runs in. */
  readonly repository?: object;
}

/** How programs import the package: each kind of module has its own declaration, as TypeScript asks. */
const EXPORTS = {
  ".": {
    import: { types: "./types/index.d.ts", default: "./code/index.mjs" },
    require: { types: "./types/index.d.cts", default: "./code/index.cjs" },
  },
  "./package.json": "./package.json",
} as const;

/** The package's `package.json`. It has no dependencies: everything that runs is bundled, native code included. */
export const manifestOf = ({ name, version, description, license, repository }: ProjectManifest): object => ({
  name,
  version,
  description,
  license,
  ...(repository !== undefined && { repository }),
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
  engines: { node: `>=${OLDEST_NODE}` },
  bin: { [name]: "code/cli.mjs" },
  exports: EXPORTS,
  // For TypeScript with the module resolution of an older Node.js, which reads no exports.
  main: EXPORTS["."].require.default,
  types: EXPORTS["."].require.types,
});
