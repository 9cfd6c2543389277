import * as z from "zod/mini";
import { readEnv } from "../../lib/env.ts";

const variables = z.object({
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
  AWS_SESSION_TOKEN: z.optional(z.string()),
});

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Stands in a function's bundle for the SDK's chain of credential providers. Lambda hands a role's credentials over
 * as environment variables; the chain would look there first too, and its other links (profiles, single sign-on,
 * instance metadata) are a third of the bundle and never reached. The SDK calls it by this name, before each request:
 * they are read once, because they stay for as long as the process.
 */
export const defaultProvider = () => {
  let known: Credentials | undefined;
  return async (): Promise<Credentials> => {
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
