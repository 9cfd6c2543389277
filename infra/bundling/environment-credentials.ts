import * as z from "zod/mini";
import { readEnv } from "../../lib/env.ts";

/** Where credentials are in place of the variables, such as under SnapStart. */
const ELSEWHERE = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
const given = z.string(
  `must be set: only the SDK as it is published (functions.stockSdk) reads ${ELSEWHERE}`,
);

const variables = z.object({
  AWS_ACCESS_KEY_ID: given,
  AWS_SECRET_ACCESS_KEY: given,
  AWS_SESSION_TOKEN: z.optional(z.string()),
});

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * The credentials of a function's role, which Lambda hands over as environment variables: read at the first call, and kept,
 * because they stay for as long as the process.
 *
 * @throws {LoggableError} at a call, when a variable is missing.
 */
export const environmentCredentials = (): (() => Promise<Credentials>) => {
  let known: Credentials | undefined;
  return async () => {
    known ??= readCredentials();
    return known;
  };
};

function readCredentials(): Credentials {
  const env = readEnv(variables);
  return {
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    ...(env.AWS_SESSION_TOKEN !== undefined && { sessionToken: env.AWS_SESSION_TOKEN }),
  };
}
