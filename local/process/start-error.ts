/** The exit code of a start that cannot be: that of every command which cannot do its work. */
export const START_FAILED = 2;

/**
 * The reason why `npm start` cannot go on. The message tells the user what is wrong and what to do, and is printed
 * without a stack trace.
 */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
