import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** How people call the programs, as printed lines spell it. */
export interface Commands {
  /** The program that serves everything: `npm start`. */
  readonly start: string;
  /** The same, before options. */
  readonly startWith: string;
  /** The operator's command line, before a command. */
  readonly ops: string;
  /** The same, where only the command's own output may be printed. */
  readonly quietOps: string;
  /** Words that run the operator's command line from any directory: in a POSIX shell, and without npm. */
  readonly fromAnywhere: { readonly sh: readonly string[]; readonly direct: readonly string[] };
  /** The scripts of npm that run each program for a person, as npm's `npm_lifecycle_event` has them. */
  readonly scripts: Readonly<Record<"start" | "ops", readonly string[]>>;
}

/** Where the files lie that come with the programs, as absolute paths unless said otherwise. */
export interface Places {
  /** The project whose CDK app synthesizes the template, or the assembly that was synthesized from it before. */
  readonly template: { readonly projectRoot: string } | { readonly readyAssembly: string };
  /** The directory of the demo's records. */
  readonly records: string;
  /** The directory of stage files. */
  readonly stages: string;
  /** The directory of the documents. */
  readonly documents: string;
  /** The same directory, as a person who reads a printed line finds it. */
  readonly shownDocuments: string;
  /** The project whose page has to be built, or the directory of the page that was built before. */
  readonly page: { readonly projectRoot: string } | { readonly readyPage: string };
  /** The code of the threads: of the store, of an execution environment, and of the demo's first trades. */
  readonly storeThread: URL;
  readonly functionThread: URL;
  readonly tradesThread: URL;
}

const projectRoot = resolve(import.meta.dirname, "..");

/** A thread's file. Below the built code it has the same place as below this file, and another ending (`local/code/`). */
const threadAt = (source: URL): URL =>
  import.meta.url.endsWith(".ts") ? source : new URL(source.href.replace(/\.ts$/, ".mjs"));

/** The version of the project, as in `package.json`. */
export const version: string = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")).version;

/**
 * The commands of a clone of the project. The npm package puts its own in the place of this whole module, with the same
 * exports (`publish/package/installation.ts`).
 */
export const commands: Commands = {
  start: "npm start",
  startWith: "npm start --",
  ops: "npm run ops --",
  quietOps: "npm run --silent ops --",
  fromAnywhere: {
    // npm finds the Node.js of this project.
    sh: ["npm", "--prefix", projectRoot, "run", "--silent", "ops", "--"],
    direct: [
      process.execPath,
      "--import",
      pathToFileURL(join(projectRoot, "local/require-node.mjs")).href,
      join(projectRoot, "ops/main.ts"),
    ],
  },
  scripts: { start: ["start"], ops: ["ops"] },
};

/** The places of a clone. */
export const places: Places = {
  template: { projectRoot },
  records: join(projectRoot, "docs/examples/records"),
  stages: join(projectRoot, "infra/stages"),
  documents: join(projectRoot, "docs"),
  shownDocuments: "docs",
  page: { projectRoot },
  storeThread: threadAt(new URL("./store/engine-worker.ts", import.meta.url)),
  functionThread: threadAt(new URL("./runtime/execution-worker.ts", import.meta.url)),
  tradesThread: threadAt(new URL("./demo/trades-worker.ts", import.meta.url)),
};
