import { OperatorError } from "./operator-error.ts";

/**
 * The reason why `npm start` cannot go on, or why a command cannot use what a start has left. The message tells the user
 * what is wrong and what to do, and is printed without a stack trace.
 */
export class StartError extends OperatorError {
  override readonly name: string = "StartError";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options?.cause);
  }
}
