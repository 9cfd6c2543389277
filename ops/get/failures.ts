import { CountinghouseError } from "../../client/src/index.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { terminalText } from "../terminal/terminal-text.ts";

const LATER = "Try again later.";

/** What to do about an error, by its code. The message of a code that is missing here says it itself. */
const ADVICE: ReadonlyMap<CountinghouseError["code"], string> = new Map([
  ["invalid_credentials", "Check the token or the key: it may have expired, or be of another deployment."],
  ["insufficient_scope", "Ask the operator of the service for a credential that has the scope."],
  ["unknown_symbol", "A market is written as BASE-QUOTE in upper case."],
  ["timestamp_in_future", "Set this machine's clock."],
  ["rate_limited", "Another program draws on the same limit. Try again later."],
  ["internal_error", "Report the error_id to the operator of the service."],
  ["service_disabled", LATER],
  ["temporarily_unavailable", LATER],
  ["gateway_throttled", LATER],
  ["gateway_failed", LATER],
  ["no_route", "Check --url."],
  ["unexpected_answer", "Check --url."],
  ["network_error", `Check --url; on this laptop, \`${commands.start}\` starts the service.`],
  ["timeout", "Check --url, or give the service more time with --timeout."],
]);

/** A failure of the client as one line that says what to do; any other error as it is. */
export function explained(error: unknown): unknown {
  if (error instanceof CountinghouseError) {
    const advice = ADVICE.get(error.code);
    return new OperatorError(
      terminalText(`${error.message}${advice === undefined ? "" : ` ${advice}`}`),
      error,
    );
  }
  // The client's own refusal of an argument.
  return error instanceof TypeError && /^[\w ]+: /.test(error.message)
    ? new OperatorError(terminalText(error.message), error)
    : error;
}

/** Whether the service says that there is no such record. */
export const isMissing = (error: unknown): error is CountinghouseError =>
  error instanceof CountinghouseError && error.code === "not_found";
