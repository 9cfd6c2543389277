import { Failure } from "../../lib/errors.ts";
import { ownMember } from "../../lib/own-member.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { StartError } from "../../local/process/start-error.ts";

const NO_CREDENTIALS = "no AWS credentials were found: set AWS_PROFILE, or sign in";
const BAD_CREDENTIALS = "AWS refuses these credentials: sign in again";

/** The errors of AWS's services that have one meaning everywhere. */
const REASONS: Readonly<Record<string, string>> = {
  CredentialsProviderError: NO_CREDENTIALS,
  ExpiredToken: BAD_CREDENTIALS,
  ExpiredTokenException: BAD_CREDENTIALS,
  InvalidClientTokenId: BAD_CREDENTIALS,
  InvalidSignatureException: BAD_CREDENTIALS,
  SignatureDoesNotMatch: BAD_CREDENTIALS,
  UnrecognizedClientException: BAD_CREDENTIALS,
  TimeoutError: "it does not answer in time",
  AbortError: "it does not answer in time",
};

const DENIED =
  /^(?:AccessDenied|AccessDeniedException|AuthorizationError|AuthorizationErrorException|UnauthorizedOperation)$/;

/** What a service of AWS said, where a client has explained it. */
export const saidBy = (error: unknown): unknown =>
  error instanceof OperatorError && error.cause instanceof Error ? error.cause : error;

/** Whether an error says that these credentials lack a permission. */
export function isDenied(given: unknown): boolean {
  const error = saidBy(given);
  return error instanceof Error && DENIED.test(error.name);
}

/** Why something could not be looked at, in words that follow a colon. */
export function whyNot(given: unknown): string {
  if (given instanceof StartError) return given.message;
  const error = saidBy(given);
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Failure) return `the store does not answer (${codeOf(error.cause)})`;
  if (isDenied(error)) {
    const action = /not authorized to perform: ([a-z0-9-]+:[A-Za-z]+)/.exec(error.message)?.[1];
    return `these AWS credentials may not do it${action === undefined ? "" : `: ${action}`}`;
  }
  if (error.message === "Region is missing")
    return "no region is known: give the stage file a `region`, or set AWS_REGION";
  const known = ownMember(REASONS, error.name);
  if (known !== undefined) return known;
  // A failed fetch keeps the reason in its cause.
  if (error instanceof OperatorError) return error.message;
  return messageOf(error.name === "TypeError" && error.cause instanceof Error ? error.cause : error);
}

const messageOf = (error: Error): string =>
  "code" in error ? codeOf(error) : `${error.name}: ${error.message}`;

/** What was looked at, or why it could not be. */
export type Seen<Value> =
  | { readonly isSeen: true; readonly value: Value }
  | { readonly isSeen: false; readonly why: string };

/** Looks at something. It throws nothing: what cannot be seen has its reason. */
export async function look<Value>(work: () => Promise<Value>): Promise<Seen<Value>> {
  try {
    return { isSeen: true, value: await work() };
  } catch (error) {
    return { isSeen: false, why: whyNot(error) };
  }
}
