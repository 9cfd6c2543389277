import { importsOf, type Sources } from "./fences.ts";

type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Every circle of imports in a set of files, the shortest through each of its files: `a.ts → b.ts → a.ts`. An import of
 * a type counts as any other: files that name each other cannot be read, or moved, one without the other.
 */
export const findCircles = (sources: Sources): string[] => circlesOf(importsOfFiles(sources));

/**
 * Every circle of imports between rooms, which are the folders right below the top ones, with all files in them:
 * `local/a → local/b → local/a`. A file outside of all rooms puts rooms together, and may import any.
 */
export function findRoomCircles(sources: Sources): string[] {
  const rooms = new Map<string, string[]>();
  for (const [file, imports] of importsOfFiles(sources)) {
    const room = roomOf(file);
    if (room === undefined) continue;
    const others = imports.map(roomOf).filter((other) => other !== undefined && other !== room);
    rooms.set(room, [...(rooms.get(room) ?? []), ...(others as string[])]);
  }
  return circlesOf(rooms);
}

const roomOf = (file: string): string | undefined => /^[a-z-]+\/[a-z-]+(?=\/)/.exec(file)?.[0];

const importsOfFiles = (sources: Sources): Imports =>
  new Map(Object.entries(sources).map(([file, text]) => [file, importsOf(file, text)]));

function circlesOf(imports: Imports): string[] {
  const circles = new Map<string, string>();
  for (const start of imports.keys()) {
    const way = shortestWayBack(start, imports);
    const members = way.toSorted().join();
    if (way.length > 0 && !circles.has(members)) circles.set(members, [...way, start].join(" → "));
  }
  return [...circles.values()];
}

/** The shortest circle that begins at a place; empty when there is none. */
function shortestWayBack(start: string, imports: Imports): readonly string[] {
  const reached = new Set<string>();
  let ways: (readonly [string, ...string[]])[] = [[start]];
  while (ways.length > 0) {
    const longer: typeof ways = [];
    for (const way of ways)
      for (const imported of imports.get(way.at(-1) ?? start) ?? []) {
        if (imported === start) return way;
        if (reached.has(imported)) continue;
        reached.add(imported);
        longer.push([...way, imported]);
      }
    ways = longer;
  }
  return [];
}
