/**
 * Runs something on a clock that starts at the machine's time and moves only by hand. The clock replaces `Date.now`,
 * which a library reads that does not take a clock.
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
