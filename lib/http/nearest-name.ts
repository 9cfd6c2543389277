/** The most letters in which a misspelled name differs from the one that was meant; half as many in a short name. */
const DIFFERENCES_MAX = 2;
const SHORT_LENGTH = 4;
/** The fewest letters that must agree at the beginning of two names. */
const BEGINNING_MIN = 3;

const plainOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * The known name that another name most likely means: the same except for case, separators and brackets, else one with
 * the same beginning (`start`, `start_date`), else one with a letter or two added, missing, replaced or swapped. Among equals it
 * is the one of the nearest length.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = plainOf(name);
  if (given === "") return undefined;
  const distanceOf = (plain: string): number => {
    if (plain === given) return 0;
    const shared = Math.min(plain.length, given.length);
    const beginsAlike = shared >= BEGINNING_MIN && plain.slice(0, shared) === given.slice(0, shared);
    return beginsAlike ? 1 : differencesOf(given, plain);
  };
  const max = given.length > SHORT_LENGTH ? DIFFERENCES_MAX : DIFFERENCES_MAX / 2;
  const near = known.map((candidate) => {
    const plain = plainOf(candidate);
    return { candidate, distance: distanceOf(plain), gap: Math.abs(plain.length - given.length) };
  });
  const [nearest] = near
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance || a.gap - b.gap);
  return nearest?.candidate;
}

/** How many letters have to be added, removed, replaced or swapped with a neighbour (optimal string alignment). */
function differencesOf(a: string, b: string): number {
  let rows: readonly (readonly number[])[] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) rows = [rows[1] ?? [], nextRow(a, b, i, rows)];
  return rows[1]?.[b.length] ?? 0;
}

/** Row `i`: the differences between `i` letters of `a` and each beginning of `b`, from the two rows before. */
function nextRow(
  a: string,
  b: string,
  i: number,
  [older = [], before = []]: readonly (readonly number[])[],
): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j += 1) {
    const at = (from: readonly number[], index: number): number => from[index] ?? Number.POSITIVE_INFINITY;
    const isSame = a[i - 1] === b[j - 1];
    const isSwapped = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    row[j] = Math.min(
      at(before, j) + 1,
      at(row, j - 1) + 1,
      at(before, j - 1) + Number(!isSame),
      isSwapped ? at(older, j - 2) + 1 : Number.POSITIVE_INFINITY,
    );
  }
  return row;
}
