import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type BuildOptions, build, buildSync, type OutputFile } from "esbuild";
import { bundlingOptions, projectRoot } from "./bundling-options.ts";
import type { ReplacedModule } from "./stand-ins.ts";

/** The code of a function: its file, from the top of the project, and the modules of the SDK that stand-ins replace. */
export interface FunctionCode {
  readonly entry: string;
  readonly replaced: readonly ReplacedModule[];
}

/** Files of bundles that were built ahead, by what each was made from. */
const ahead = new Map<string, readonly OutputFile[]>();

const nameOf = ({ entry, replaced }: FunctionCode): string => JSON.stringify([entry, ...replaced]);

/** The directory of a bundle, which is never written. It lies in the project, so that source maps are the same everywhere. */
const placeOf = (entry: string): string => join("bundles", basename(entry, ".ts"));

/** Builds bundles with the same modules replaced in memory: `index.mjs` and its source map for each. */
const optionsOf = (entries: readonly string[], replaced: readonly ReplacedModule[]) =>
  ({
    ...bundlingOptions(replaced),
    entryPoints: Object.fromEntries(entries.map((entry) => [join(placeOf(entry), "index"), entry])),
    outdir: projectRoot,
    outExtension: { ".js": ".mjs" },
    write: false,
  }) as const satisfies BuildOptions;

const filesOf = (entry: string, all: readonly OutputFile[]): readonly OutputFile[] =>
  all.filter(({ path }) => dirname(path) === join(projectRoot, placeOf(entry)));

/**
 * Builds bundles together, beside what else the process does: esbuild then reads what they share once, which is most of
 * them. All builds begin at once, because while the CDK loads, none could be begun.
 */
export async function buildAhead(functions: readonly FunctionCode[]): Promise<void> {
  const groups = [...Map.groupBy(functions, ({ replaced }) => replaced.join()).values()];
  const building = groups.map(async (group) => {
    const entries = group.map(({ entry }) => entry);
    const { outputFiles } = await build(optionsOf(entries, group[0]?.replaced ?? []));
    for (const code of group) ahead.set(nameOf(code), filesOf(code.entry, outputFiles));
  });
  await Promise.all(building);
}

/** Writes the bundle of a function into a directory, and builds it if that was not done ahead. */
export function writeBundle(code: FunctionCode, directory: string): void {
  const { entry, replaced } = code;
  const files =
    ahead.get(nameOf(code)) ?? filesOf(entry, buildSync(optionsOf([entry], replaced)).outputFiles);
  for (const { path, contents } of files) writeFileSync(join(directory, basename(path)), contents);
}
