import { ownMember } from "../../lib/own-member.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";

const START_IT = `Start \`${commands.start}\`, name its directory with --data, or give --sqs-endpoint.`;

/** The error of a command that needs queues where there are none. */
export const noQueues = (stage: string | undefined): OperatorError =>
  new OperatorError(
    stage === undefined
      ? `No \`${commands.start}\` with queues runs on this data directory. ${START_IT}`
      : `The stage ${stage} takes in no records by messages: its file has no setting \`ingest\`.`,
  );

const refused = "refuse the AWS credentials. Check which ones are in use, or sign in again.";
const silent = "do not answer. Check that they can be reached, and run the same command again.";

/** What is wrong with queues and what to do, by the name or the code of an error; continues "The queues (…)". */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  QueueDoesNotExist: "have none of this name. Deploy the stage with the setting `ingest` first.",
  AccessDenied: "do not let these AWS credentials do this. The role needs the operators' policy Imports.",
  InvalidClientTokenId: refused,
  SignatureDoesNotMatch: refused,
  ExpiredToken: refused,
  CredentialsProviderError:
    "cannot be reached without AWS credentials, and none were found. Set AWS_PROFILE, or sign in.",
  RequestThrottled: silent,
  ENOTFOUND: silent,
  ECONNREFUSED: silent,
  ECONNRESET: silent,
  TimeoutError: silent,
};

const namesOf = (error: Error): readonly string[] => [
  error.name.replace(/^AWS\.SimpleQueueService\./, ""),
  "code" in error && typeof error.code === "string" ? error.code : "",
];

/** Turns a fault of queues into an error whose line says what to do. Any other error is returned as it is. */
export function explainQueueFault(error: unknown, queuesName: string): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error;
  const explanation =
    error.message === "Region is missing"
      ? "cannot be reached without a region. Give the stage file a `region`, or set AWS_REGION."
      : namesOf(error)
          .map((name) => ownMember(EXPLANATIONS, name))
          .find((found) => found !== undefined);
  return explanation === undefined
    ? error
    : new OperatorError(`The queues (${queuesName}) ${explanation}`, error);
}

/** Whether an endpoint does not know a call: an emulator, which answers fewer than SQS does. */
export const isUnknownCall = (error: unknown): boolean =>
  error instanceof Error &&
  namesOf(error).some((name) =>
    /^(?:UnsupportedOperation|InvalidAction|UnknownOperation(?:Exception)?)$/.test(name),
  );
