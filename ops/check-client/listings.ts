import type { Step } from "./play.ts";

/** Records of a page; a client that asks for fewer gets fewer. */
const PAGE_RECORDS_MAX = 3;

/** A record as it is served, and its instant in the unit of its window. */
interface Placed {
  readonly instant: number;
  readonly text: string;
}

interface Listing {
  readonly run: number;
  readonly subject: string;
  readonly span: Span;
  /** The records that were made for this listing, by their places. */
  readonly own: Map<number, Placed>;
}

/** What a page is a part of. */
export interface Asked {
  /** Equal for listings that differ by their windows alone. */
  readonly subject: string;
  readonly span: Span;
  /** The most records of a page. */
  readonly limit: number;
}

/**
 * The listings of a check. A record lies at each end of a window, and is in every window of the run that borders on it
 * and includes the instant, as in a real store: a client that reads two windows sees what they share twice.
 */
export class Listings {
  readonly #listings = new Map<number, Listing>();

  /**
   * The records of a page, newest first.
   *
   * @param recordAt makes the record of a place, counted from 1, at an instant.
   */
  page(
    step: Step,
    { subject, span, limit }: Asked,
    recordAt: (place: number, instant: number) => string,
  ): readonly string[] {
    if (step.answer === "empty-page") return [];
    const listing = this.#listings.get(step.act) ?? { run: step.run, subject, span, own: new Map() };
    this.#listings.set(step.act, listing);
    const shared = this.#sharedWith(listing, partOf(step, span)).slice(0, limit);
    const own = placesOf(step, span, Math.min(limit - shared.length, PAGE_RECORDS_MAX)).map(
      ({ place, instant }) => {
        const placed = { instant, text: recordAt(place, instant) };
        listing.own.set(place, placed);
        return placed;
      },
    );
    return [...own, ...shared].sort((one, other) => other.instant - one.instant).map(({ text }) => text);
  }

  /** The records of other listings of the run that lie in a part of this one. */
  #sharedWith(listing: Listing, part: Span): readonly Placed[] {
    const { run, subject, span } = listing;
    return [...this.#listings.values()]
      .filter((one) => one !== listing && one.run === run && one.subject === subject)
      .filter((one) => areNeighbours(one.span, span))
      .flatMap(({ own }) => [...own.values()])
      .filter(({ instant }) => overlapOf({ first: instant, last: instant }, part) > 0);
  }
}

/** The instant of a place, from 0 for the newest; the places of all stations lie evenly in a window. */
const instantOf = ({ scene }: Step, { first, last }: Span, place: number): number =>
  last - Math.floor((place * (last - first)) / (scene.stations.length * PAGE_RECORDS_MAX - 1));

/** The part of a window that a page is of. */
function partOf(step: Step, span: Span): Span {
  const { station, isLast } = step;
  return {
    first: isLast ? span.first : instantOf(step, span, (station + 1) * PAGE_RECORDS_MAX) + 1,
    last: instantOf(step, span, station * PAGE_RECORDS_MAX),
  };
}

/** The places of a page: the last one of a listing lies at the beginning of the window. */
function placesOf(step: Step, span: Span, size: number) {
  return Array.from({ length: size }, (_, at) => {
    const place = step.station * PAGE_RECORDS_MAX + at;
    const isOldest = step.isLast && at === size - 1;
    return { place: place + 1, instant: isOldest ? span.first : instantOf(step, span, place) };
  });
}

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
