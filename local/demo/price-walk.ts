/** The longest stretch whose ends are drawn by themselves, in hours: three weeks. */
const LONGEST_HOURS = 512;
/** How often the stretches are halved: down to a second, while an hour of walking takes an hour. */
const HALVINGS = 21;
/** How far a price is from its typical one at the ends of the longest stretches at most, as a part of it. */
const REACH = 0.12;
/** How far an hour moves a price, as a part of it: the standard deviation. */
const HOUR_STEP = 0.004_5;
/** The standard deviation of a number that is as likely anywhere from -1 to 1. */
const EVEN_DEVIATION = 1 / Math.sqrt(3);

/** A number from -1 to 1 that looks random and is always the same for these three (the finalizer of MurmurHash3). */
function noiseOf(seed: number, halvings: number, place: number): number {
  let bits = Math.imul(place, 0x9e3779b1) ^ Math.imul(halvings + 1, 0x85ebca6b) ^ seed;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 0x7fff_ffff - 1;
}

/**
 * Where a random walk in one piece is after so many hours, as a factor around 1. It is drawn as Lévy drew Brownian motion:
 * a straight line between drawn heights, whose middle is moved, and the middles of its halves, and so on. So it is known
 * at any time without the steps before, and the same from whichever time on it is asked for.
 *
 * @param seed 32 bits, from which all heights follow.
 */
export function walkAt(seed: number, hours: number): number {
  const stretch = hours / LONGEST_HOURS;
  const first = Math.floor(stretch);
  const [from, to] = [REACH * noiseOf(seed, 0, first), REACH * noiseOf(seed, 0, first + 1)];
  let moved = from + (to - from) * (stretch - first);
  let length = LONGEST_HOURS;
  for (let halvings = 1; halvings <= HALVINGS; halvings += 1) {
    const place = Math.floor(hours / length);
    const way = hours / length - place;
    const height = (HOUR_STEP * Math.sqrt(length)) / 2 / EVEN_DEVIATION;
    moved += height * noiseOf(seed, halvings, place) * (1 - Math.abs(2 * way - 1));
    length /= 2;
  }
  return 1 + moved;
}
