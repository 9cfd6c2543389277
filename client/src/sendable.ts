import { CountinghouseError } from "./error.ts";

/** The proof of one request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Texts in them that no message may show. */
  readonly secrets: readonly string[];
}

const SENDABLE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * Makes credentials that can be sent. The platform's own message about a header that cannot would show it.
 *
 * @throws {CountinghouseError} `credentials_failed`.
 */
export async function sendableCredentials(
  { credentials }: { readonly credentials: (url: URL) => Promise<Credentials> },
  url: URL,
  requestId: string,
): Promise<Credentials> {
  const details = { code: "credentials_failed", url: url.href, requestId } as const;
  const made = await credentials(url).catch((cause: unknown) => {
    const message = `GET ${url.href}: the credentials could not be made; the cause says why.`;
    throw new CountinghouseError(message, { ...details, cause });
  });
  const wrong = Object.entries(made.headers).find(([, value]) => !SENDABLE.test(value));
  if (wrong === undefined) return made;
  const message = `GET ${url.href}: ${wrong[0]} is empty, or has characters that no header can carry.`;
  throw new CountinghouseError(message, details);
}
