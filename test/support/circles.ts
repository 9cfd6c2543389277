import { importsOf, type Sources } from "./fences.ts";

/**
 * Every circle of imports in a set of files, the shortest through each of its files: `a.ts → b.ts → a.ts`. An import of
 * a type counts as any other: files that name each other cannot be read, or moved, one without the other.
 */
export function findCircles(sources: Sources): string[] {
  const imports = new Map(Object.entries(sources).map(([file, text]) => [file, importsOf(file, text)]));
  const circles = new Map<string, string>();
  for (const file of imports.keys()) {
    const way = shortestWayBack(file, imports);
    const members = way.toSorted().join();
    if (way.length > 0 && !circles.has(members)) circles.set(members, [...way, file].join(" → "));
  }
  return [...circles.values()];
}

/** The files of the shortest circle through a file, from it on; empty where there is none. */
function shortestWayBack(start: string, imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
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
