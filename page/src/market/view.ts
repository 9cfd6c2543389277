/** A stretch of time, both ends included, in whole Unix epoch milliseconds. */
export interface View {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How long a view is. */
export const spanOf = ({ fromMs, toMs }: View): number => toMs - fromMs;

/** Whether two views show the same stretch. */
export const isSame = (one: View, other: View): boolean =>
  one.fromMs === other.fromMs && one.toMs === other.toMs;

/** The shortest stretch that is shown, unless all there is is shorter. */
export const VIEW_MS_MIN = 10_000;

/**
 * A view of at least {@link VIEW_MS_MIN} inside of the bounds: one that reaches over an edge is pushed back, and one that
 * is longer than the bounds becomes the bounds.
 */
export function fitted({ fromMs, toMs }: View, bounds: View): View {
  const spanMs = Math.min(spanOf(bounds), Math.max(VIEW_MS_MIN, Math.round(toMs - fromMs)));
  const middleMs = (fromMs + toMs) / 2;
  const wantedMs = Math.round(middleMs - spanMs / 2);
  const startMs = Math.min(Math.max(wantedMs, bounds.fromMs), bounds.toMs - spanMs);
  return { fromMs: startMs, toMs: startMs + spanMs };
}

/** A view whose span is `factor` times that of another; the instant `aroundMs` stays in its place. */
export function zoomed(
  { fromMs, toMs }: View,
  factor: number,
  bounds: View,
  aroundMs = (fromMs + toMs) / 2,
): View {
  const ahead = {
    fromMs: aroundMs - (aroundMs - fromMs) * factor,
    toMs: aroundMs + (toMs - aroundMs) * factor,
  };
  return fitted(ahead, bounds);
}

/** A view moved by a share of its span: to later instants for a positive one. */
export function moved({ fromMs, toMs }: View, share: number, bounds: View): View {
  const byMs = (toMs - fromMs) * share;
  return fitted({ fromMs: fromMs + byMs, toMs: toMs + byMs }, bounds);
}
