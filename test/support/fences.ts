import path from "node:path";
import { transform } from "esbuild";

/** Source files by their path from the top of the project. */
export type Sources = Readonly<Record<string, string>>;

interface SourceFile {
  readonly path: string;
  /** The text without types and comments, which may name what code may not. */
  readonly code: string;
  /** See {@link importsOf}. */
  readonly imports: readonly string[];
}

type Fence = (file: SourceFile) => readonly string[];

/**
 * The layers of lib, the lowest first; each imports from those below it alone. Its other folders are domains, which lie
 * where the list has an empty layer and do not know each other. All files at its top but the composition are the lowest
 * layer.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ["lib"],
  ["json", "dynamo", "signature"],
  ["switches", "markets", "rate-limit"],
  ["http"],
  ["auth"],
  ["upkeep"],
  [],
  ["ingest"],
  ["compose"],
];
const DOMAIN_LAYER = LAYERS.findIndex((rooms) => rooms.length === 0);

const SHIM: readonly RegExp[] = [
  /^publish\/embed\/(?:house-thread|machine-clock|messages|old-node|sent-arguments|types)\.ts$/,
];

/** The files of the project that a folder's files may import; for a file, the longest folder that fits it counts. */
const DIRECTIONS: Readonly<Record<string, readonly RegExp[]>> = {
  "lib/": [/^lib\//],
  "functions/": [/^lib\//],
  "infra/": [
    /^infra\//,
    /^lib\/(?:[a-z-]+\/(?:contract|settings)|brand|env|errors|metrics|setting-schemas|dynamo\/tables)\.ts$/,
  ],
  // The stand-ins for parts of the SDK run in the functions.
  "infra/bundling/": [
    /^infra\/bundling\//,
    /^lib\/(?:own-member|env|errors|recent-map|dynamo\/whole-answers)\.ts$/,
  ],
  "local/": [/^local\//, /^infra\//, /^lib\//],
  // It starts and bundles what the others are, and is imported by none.
  "publish/package/": [
    /^publish\/package\//,
    /^local\//,
    /^infra\/bundling\/bundling-options\.ts$/,
    /^ops\/main\.ts$/,
    /^lib\/clock\.ts$/,
    /^publish\/worlds\/run-worlds\.ts$/,
  ],
  "local/start.ts": [/^local\//, /^lib\//, /^publish\/worlds\/run-worlds\.ts$/],
  "publish/worlds/": [/^publish\/(?:worlds|embed)\//, /^lib\//, /^local\//],
  // A program of browsers: it knows the local server by its questions, and what only computes.
  "page/": [
    /^page\//,
    /^client\/src\//,
    /^lib\/(?:[a-z-]+\/contract|json-value|trades\/decimal)\.ts$/,
    /^local\/(?:page\/page-questions|history\/(?:explain-route|steps)|demo\/demo-file|signing\/curl-line|terminal\/sh-quoted|reset\/reset-words)\.ts$/,
  ],
  // A test suite runs it.
  "publish/embed/": [
    /^publish\/embed\//,
    /^lib\//,
    /^local\//,
    /^infra\/cors-origin\.ts$/,
    // A test gives an instant as it gives one to the client.
    /^client\/src\/instant\.ts$/,
    /^ops\/(?:import\/trades\/[a-z-]+|store\/operator-store)\.ts$/,
  ],
  // The part of it that runs in a test's own thread is loaded into anything, and brings nothing along.
  "publish/embed/index.ts": SHIM,
  "publish/embed/house-thread.ts": SHIM,
  "publish/embed/machine-clock.ts": SHIM,
  "publish/embed/old-node.ts": SHIM,
  "publish/embed/messages.ts": SHIM,
  "publish/reference/": [/^publish\/reference\//, /^local\/endpoints\//, /^lib\//],
  // The page of the commands is made from the program that has them.
  "publish/reference/commands/": [
    /^publish\/reference\//,
    /^ops\/(?:program|command|add-command|terminal\/json-output)\.ts$/,
  ],
  // A package of its own, which is published without the rest.
  "client/": [/^client\//],
  "ops/": [
    /^ops\//,
    /^lib\//,
    /^infra\/(?:alarms\/alarm|endpoints|queues|stage|settings\/[a-z-]+)\.ts$/,
    /^local\//,
    /^client\/src\/index\.ts$/,
  ],
};

/** Something that only some files may contain or import; all other files use these. */
interface SingleOwner {
  readonly what: string;
  readonly owners: RegExp;
  readonly pattern: RegExp;
  readonly within: "code" | "imports";
  /** The files that the fence applies to; all files unless given. */
  readonly fenced?: RegExp;
}

const SINGLE_OWNERS: readonly SingleOwner[] = [
  { what: "middy", within: "imports", pattern: /^@middy\//, owners: /^lib\/http\/endpoint\.ts$/ },
  {
    what: "the AWS SDK",
    within: "imports",
    pattern: /^@(?:aws-sdk|smithy)\//,
    // A register is a store that only operators write through. Stand-ins take the SDK's place in a bundle.
    owners:
      /^(?:lib\/.*-(?:store|register)\.ts|lib\/dynamo\/.*|lib\/ingest\/(?:queue-client|rejected-queue)\.ts|infra\/bundling\/.*|ops\/.*|local\/.*)$/,
  },
  {
    what: "what the oldest Node.js of the npm package lacks",
    within: "code",
    pattern: /\bmkdtempDisposable\b/,
    owners: /^$/,
    fenced: /^(?:local|ops|publish\/(?:embed|worlds)|lib)\//,
  },
  {
    what: "the whole of zod (zod/mini is a quarter of it)",
    within: "imports",
    pattern: /^zod$/,
    owners: /^$/,
  },
  {
    what: "the CDK",
    within: "imports",
    pattern: /^(?:aws-cdk-lib|constructs|cdk-nag)\b/,
    // The operator's commands read endpoints and settings, and load quickly, without the CDK.
    owners: /^infra\/(?!(?:settings\/.*|stage|endpoints|queues)\.ts$)/,
  },
  {
    what: "process.env",
    within: "code",
    pattern:
      /\bprocess\s*(?:\?\.|\.)\s*env\b|\benv\b[^;]*\}\s*=\s*process\b|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*"node:process"/,
    // The worker sets a variable for each invocation, as Lambda's runtime does. A house passes on its test's environment.
    // Commander reads the process's variables, so that is where empty ones are taken out.
    owners:
      /^(?:lib\/env|infra\/app|local\/options|local\/terminal\/option-parsers|local\/runtime\/execution-worker|ops\/store\/store-options|publish\/package\/installation|publish\/embed\/house-thread)\.ts$/,
  },
  {
    what: "the machine's clock",
    within: "code",
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)|\bTemporal\.Now\b/,
    // The collection's script runs in a client, and so does the client. A test's own clock may be a fake.
    owners:
      /^(?:lib\/clock|publish\/reference\/postman|client\/src\/platform|publish\/embed\/machine-clock)\.ts$/,
  },
  {
    what: "the machine's steady clock",
    within: "code",
    pattern: /\bperformance\s*\.\s*now\b|\bhrtime\b/,
    owners: /^lib\/clock\.ts$/,
    fenced: /^(?:lib|functions)\//,
  },
  {
    what: "standard output (a line has a level and a time)",
    within: "code",
    pattern: /\bprocess\s*(?:\?\.|\.)\s*std(?:out|err)\b|\bconsole\s*\./,
    owners: /^lib\/log\.ts$/,
    fenced: /^(?:lib|functions)\//,
  },
  {
    what: "the format of metrics",
    within: "code",
    pattern: /\b_aws\b|\bCloudWatchMetrics\b/,
    owners: /^lib\/metrics\.ts$/,
    fenced: /^(?:lib|functions)\//,
  },
  {
    what: "an HTTP status",
    within: "code",
    pattern: /\bstatus(?:Code)?["']?\s*(?::|=(?!=))\s*[1-5]\d\d\b/,
    owners: /^lib\/http\/error-response\.ts$/,
    fenced: /^(?:lib|functions)\//,
  },
  {
    what: "an error of ours whose message the log leaves out",
    within: "code",
    pattern: /\bnew Error\(/,
    owners: /^$/,
    fenced: /^lib\//,
  },
  {
    what: "the words for a fault that may pass",
    within: "code",
    pattern: /\bnew Failure\(\s*"temporarily_unavailable"/,
    owners: /^lib\/errors\.ts$/,
  },
  {
    what: "a brand word",
    within: "code",
    pattern: /x-svc|svcx|service-api-version|(["'`])service\1/i,
    // Written from the brand of the contracts.
    owners: /^(?:lib\/brand|client\/src\/contract)\.ts$/,
  },
];

/** Files that only compute: the same input always gives the same answer. */
const PURE = new RegExp(
  "^lib/(?:signature/.*|json/.*|[a-z-]+/[a-z-]+-(?:document|kinds|rules)|rate-limit/token-bucket|" +
    "trades/(?:date-range|segment-codec|cursor|trade)|transactions/transaction|sell-orders/sell-order|passes/(?:pass|entity-tag)|markets/market)\\.ts$",
);
const IMPURE_IMPORT = /^(?:node:(?!crypto$|buffer$|util$|zlib$)|@aws-sdk\/)/;

const directionFence: Fence = ({ path, imports }) => {
  const folder = Object.keys(DIRECTIONS)
    .filter((candidate) => path.startsWith(candidate))
    .sort((a, b) => b.length - a.length)[0];
  if (folder === undefined) return [];
  return imports
    .filter((imported) => /^[a-z-]+\//.test(imported) && /\.tsx?$/.test(imported))
    .filter((imported) => !DIRECTIONS[folder]?.some((allowed) => allowed.test(imported)))
    .map((imported) => `imports ${imported}, which ${folder} may not`);
};

/** The room of a file of lib: its folder, or the layer's name for the files at the top of lib. */
function roomOf(file: string): string | undefined {
  const [top, folder, rest] = file.split("/");
  if (top !== "lib" || folder === undefined) return undefined;
  if (rest === undefined) return folder === "compose.ts" ? "compose" : "lib";
  return folder;
}

function layerOf(room: string): number {
  const layer = LAYERS.findIndex((rooms) => rooms.includes(room));
  return layer === -1 ? DOMAIN_LAYER : layer;
}

/** The domains of a set of files: the folders of lib that are in no layer by name. */
export const domainsOf = (files: readonly string[]): readonly string[] =>
  [...new Set(files.map(roomOf))].filter(
    (room) => room !== undefined && layerOf(room) === DOMAIN_LAYER,
  ) as string[];

const layerFence: Fence = ({ path, imports }) => {
  const room = roomOf(path);
  if (room === undefined) return [];
  return imports.flatMap((imported) => {
    const other = roomOf(imported);
    if (other === undefined || other === room || layerOf(other) < layerOf(room)) return [];
    const isNeighbour = layerOf(other) === layerOf(room);
    return [`imports ${imported}: ${other} lies ${isNeighbour ? "beside" : "above"} ${room}`];
  });
};

const ownerFence: Fence = ({ path, code, imports }) =>
  SINGLE_OWNERS.filter(({ owners, pattern, within, fenced }) => {
    if (owners.test(path) || (fenced !== undefined && !fenced.test(path))) return false;
    return within === "code" ? pattern.test(code) : imports.some((imported) => pattern.test(imported));
  }).map(({ what }) => `uses ${what}, which it must be given`);

const purityFence: Fence = ({ path, code, imports }) => {
  if (!PURE.test(path)) return [];
  const impure = imports.filter((imported) => IMPURE_IMPORT.test(imported));
  const clock = /\bsystemClock\b/.test(code) ? ["the clock"] : [];
  return [...impure, ...clock].map((what) => `uses ${what}, but only computes`);
};

/** A function only wires parts together, because no test of a part would cover a decision in it. */
const wiringFence: Fence = ({ path, code }) =>
  path.startsWith("functions/") && /\b(?:if|try|switch|for|while)\b\s*[({]/.test(code)
    ? ["decides something; move that into lib"]
    : [];

const nameFence: Fence = ({ path }) =>
  /^[a-z-]+\/(?:[a-z0-9-]+\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:d|config))?\.tsx?$/.test(path)
    ? []
    : ["is not named in kebab-case"];

const FENCES: readonly Fence[] = [
  directionFence,
  layerFence,
  ownerFence,
  purityFence,
  wiringFence,
  nameFence,
];

const IMPORTS =
  /(?:^|[;\n])\s*(?:import|export)\b[^;"']*?\bfrom\s*"([^"]+)"|(?:^|[;\n])\s*import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/g;

/** The imports of a file: paths from the top of the project, and the names of packages as they are written. */
export function importsOf(filePath: string, text: string): string[] {
  return [...text.matchAll(IMPORTS)].flatMap(([, from, bare, dynamic]) => {
    const written = from ?? bare ?? dynamic;
    if (written === undefined) return [];
    return written.startsWith(".") ? path.posix.join(path.posix.dirname(filePath), written) : written;
  });
}

async function readSource([filePath, text]: readonly [string, string]): Promise<SourceFile> {
  const { code } = await transform(text, {
    loader: filePath.endsWith("x") ? "tsx" : "ts",
    legalComments: "none",
  });
  return { path: filePath, code, imports: importsOf(filePath, text) };
}

/** The files of lib that no function imports, by itself or by way of others; an import of a type counts. */
export function unreachedFiles(sources: Sources): string[] {
  const reached = new Set(Object.keys(sources).filter((file) => file.startsWith("functions/")));
  for (const file of reached)
    for (const imported of importsOf(file, sources[file] ?? "")) reached.add(imported);
  return Object.keys(sources).filter((file) => file.startsWith("lib/") && !reached.has(file));
}

/** Every breach of the house's fences in a set of files, as `<path> <what is wrong>`. */
export async function findBreaches(sources: Sources): Promise<string[]> {
  const files = await Promise.all(Object.entries(sources).map(readSource));
  return files.flatMap((file) =>
    FENCES.flatMap((fence) => fence(file)).map((breach) => `${file.path} ${breach}`),
  );
}
