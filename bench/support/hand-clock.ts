/**
 * Runs something on a clock that stands still until it is moved, whoever reads it: a library that cannot be given a clock
 * reads `Date.now`. It starts at the machine's time.
 */
export async function withHandClock<Result>(
  run: (clock: { now: number }) => Promise<Result>,
): Promise<Result> {
  const { now } = Date;
  const clock = { now: now() };
  Date.now = () => clock.now;
  try {
    return await run(clock);
  } finally {
    Date.now = now;
  }
}
