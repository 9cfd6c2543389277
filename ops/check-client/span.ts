/** A range of instants, both ends included, in the smallest unit of its interface. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

const lengthOf = ({ first, last }: Span): number => last - first + 1;

/** How many instants two ranges share; negative for as many between them. */
export const overlapOf = (one: Span, other: Span): number =>
  Math.min(one.last, other.last) - Math.max(one.first, other.first) + 1;

/**
 * Whether two ranges are meant to stand side by side. A gap as long as the shorter of them is taken for intended, and so
 * is an overlap of half of it: that is the same listing once more.
 */
export function areNeighbours(one: Span, other: Span): boolean {
  const overlap = overlapOf(one, other);
  const shorter = Math.min(lengthOf(one), lengthOf(other));
  return overlap * 2 < shorter && -overlap < shorter;
}
