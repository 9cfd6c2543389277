/**
 * Why `npm start` cannot go on, in words for the person who typed it: what is in the way, and what to do. Its message
 * is printed as it is, without a stack.
 */
export class StartError extends Error {
  override readonly name: string = "StartError";
}
