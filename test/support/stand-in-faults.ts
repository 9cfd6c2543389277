import path from "node:path";
import type { Metafile } from "esbuild";
import { type ReplacedModule, standIns } from "../../infra/bundling/stand-ins.ts";

/** Where a build found a module, for everything that imports it by its name. */
const filesOf = ({ inputs }: Metafile, module: ReplacedModule): string[] => [
  ...new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.filter(({ original }) => original === module).map((found) => found.path),
    ),
  ),
];

/** The files of which something is in the bundle. */
const carriedBy = ({ outputs }: Metafile): string[] => {
  const { inputs = {} } = Object.values(outputs).find(({ entryPoint }) => entryPoint !== undefined) ?? {};
  return Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
};

/** The folder of a file within its package, wherever that is installed. */
const placeOf = (file: string): string => `${path.dirname(file.slice(file.lastIndexOf("node_modules/")))}/`;

/**
 * What is wrong with the stand-ins of a bundle, by the accounts of its build and of one without stand-ins: each should be
 * imported and carried, and nothing of what it replaces should be carried beside it.
 */
export function standInFaults(
  replaced: readonly ReplacedModule[],
  metafile: Metafile,
  stock: Metafile,
): string[] {
  const carried = carriedBy(metafile);
  return replaced.flatMap((module) => {
    const standIn = `infra/bundling/${standIns[module]}`;
    const places = filesOf(stock, module).map(placeOf);
    const stays = carried.filter((file) => places.some((place) => file.includes(place)));
    return [
      ...(places.length === 0 ? [`the SDK no longer imports ${module}`] : []),
      ...(filesOf(metafile, module).some((file) => file !== standIn) ? [`${module} is found elsewhere`] : []),
      ...(carried.includes(standIn) ? [] : [`nothing of ${standIn} is in the bundle`]),
      ...stays.map((file) => `${file} is in the bundle beside ${standIn}`),
    ];
  });
}
