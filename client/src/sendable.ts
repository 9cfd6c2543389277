import { type Asked, requestError } from "./asked.ts";
import type { CountinghouseError } from "./error.ts";
import { inTime } from "./in-time.ts";

/** The proof of one request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Texts in them that no message may show. */
  readonly secrets: readonly string[];
}

/** How credentials are made. */
export interface Making {
  readonly make: () => Promise<Credentials>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const SENDABLE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * Makes credentials that can be sent. The platform's own message about a header that cannot would show it.
 *
 * @throws {CountinghouseError} `credentials_failed`.
 * @throws the reason of the signal, once it is aborted.
 */
export async function sendableCredentials(
  { make, timeoutMs, signal }: Making,
  request: Omit<Asked, "mask">,
): Promise<Credentials> {
  const failed = (why: string, cause?: unknown): CountinghouseError =>
    requestError(why, { ...request, mask: (text) => text }, { code: "credentials_failed", cause });
  const late = (): CountinghouseError => failed(`no credentials were made within ${timeoutMs} ms.`);
  const work = (): Promise<Credentials> =>
    make().catch((cause: unknown) => {
      throw failed("the credentials could not be made; the cause says why.", cause);
    });
  const made = await inTime(work, { timeoutMs, signal, late });
  const wrong = Object.entries(made.headers).find(
    ([, value]) => !(typeof value === "string" && SENDABLE.test(value)),
  );
  if (wrong === undefined) return made;
  throw failed(`${wrong[0]} is empty, or has characters that no header can carry.`);
}
