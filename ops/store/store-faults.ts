import { ownMember } from "../../lib/own-member.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { DISK_FULL_EXCEPTION } from "../../local/store/full-disk.ts";

interface Explanation {
  readonly problem: string;
  /** The remedy, on a deployed stage and on this machine. */
  readonly deployed: string;
  readonly local: string;
}

const refusedCredentials: Explanation = {
  problem: "refuses the AWS credentials",
  deployed: "Check which ones are in use (AWS_PROFILE, `aws sts get-caller-identity`), or sign in again.",
  local:
    "Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or leave --dynamodb-endpoint (DYNAMODB_ENDPOINT) out.",
};

const missingTable: Explanation = {
  problem: "has no such table",
  deployed: "Check the stage, the account and the region, or deploy the stage first.",
  local: `Run \`${commands.start}\` once; it creates the tables.`,
};

const silent: Explanation = {
  problem: "does not answer, or throttles the requests",
  deployed: "Check the network and the region, and run the same command again.",
  local: "Check that it is running (--dynamodb-endpoint, DYNAMODB_ENDPOINT), and run the same command again.",
};

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ResourceNotFoundException: missingTable,
  AccessDeniedException: {
    problem: "does not let these AWS credentials do this",
    deployed: "The role needs read and write access to the stage's tables.",
    local: refusedCredentials.local,
  },
  UnrecognizedClientException: refusedCredentials,
  InvalidSignatureException: refusedCredentials,
  ExpiredTokenException: refusedCredentials,
  CredentialsProviderError: {
    problem: "cannot be reached without AWS credentials, and none were found",
    deployed: "Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in.",
    local: refusedCredentials.local,
  },
  temporarily_unavailable: silent,
  ENOTFOUND: silent,
  ECONNREFUSED: silent,
  ECONNRESET: silent,
  TimeoutError: silent,
};

const NO_REGION: Explanation = {
  problem: "cannot be reached without a region",
  deployed: "Give the stage file a `region`, or set AWS_REGION.",
  local: "Set AWS_REGION.",
};

/** The explanation of a fault of the store; undefined for a fault of something else. */
function explanationOf(error: Error): Explanation | undefined {
  if (error.message === "Region is missing") return NO_REGION;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return ownMember(EXPLANATIONS, error.name) ?? ownMember(EXPLANATIONS, code);
}

/**
 * Turns a fault of the store into an error whose line says what to do. Any other error is returned as it is.
 *
 * @param storeName the store's name in the message.
 */
export function explainStoreFault(error: unknown, storeName: string, isDeployed: boolean): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error;
  if (error.name === DISK_FULL_EXCEPTION) return new OperatorError(error.message, error);
  const explanation = explanationOf(error);
  if (explanation === undefined) return error;
  const advice = isDeployed ? explanation.deployed : explanation.local;
  return new OperatorError(`The store (${storeName}) ${explanation.problem}. ${advice}`, error);
}
