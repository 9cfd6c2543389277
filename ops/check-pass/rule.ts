import { maskSecrets, terminalText } from "../terminal/terminal-text.ts";
import { BODY_BYTES_MAX, NoAnswer, type SeenResponse } from "../wallet/http-exchange.ts";
import type { Probe, SentRequest, Wallet } from "../wallet/wallet.ts";
import type { Level } from "./verdict.ts";

/** The options of a check, besides the credentials. */
export interface Plan {
  readonly reference: string;
  readonly goneReference?: string;
  /** Changes the pass; undefined without --changed-by. @throws {NotObservable} when the command fails. */
  readonly change?: () => Promise<void>;
  /** The most requests to send to reach the rate limit; 0 for none. */
  readonly burst: number;
  /** A valid token that lacks the scope. */
  readonly noScopeToken?: string;
  /** Whether a breach of any rule fails, and not only one of the contract. */
  readonly isStrict?: boolean;
  /** The files of the credentials, as the operator named them: curl lines read the credentials from there. */
  readonly files?: CredentialFiles;
}

/** Names of files, `-` for standard input. */
export interface CredentialFiles {
  readonly token?: string;
  readonly noScopeToken?: string;
  readonly jwsKey?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** The client and the plan that a rule may use. */
export interface Subject {
  readonly wallet: Wallet;
  readonly plan: Plan;
}

/** An observation, and whether the rule holds by it. */
export interface Observation {
  readonly holds: boolean;
  readonly seen: string;
  /** The requests that show it, in their order; undefined when the last request alone shows it. */
  readonly shownBy?: readonly SentRequest[];
}

/** The observation of one answer, or of a connection that was refused. */
export interface Answered extends Observation {
  /** Undefined where there was no connection. */
  readonly response?: SeenResponse;
  readonly shownBy: readonly [SentRequest];
}

/** One rule for a pass endpoint, and how to see whether a server keeps it. */
export interface Rule {
  /** Names the rule in machine-readable output. */
  readonly id: string;
  readonly level: Level;
  readonly rule: string;
  readonly expected: string;
  /** The reason for the rule, in a sentence, with the part of the contract or of an RFC that says so. */
  readonly why: string;
  /** Whether the rule can be observed only with many requests at once. */
  readonly isBurst?: true;
  /** The options that are missing to check the rule; undefined when none is. */
  lacks?(subject: Subject): string | undefined;
  /** @throws {NotObservable} when another rule's breach hides this one. */
  run(subject: Subject): Promise<Observation>;
}

/** A rule cannot be judged, because something that it depends on is missing. The message says what. */
export class NotObservable extends Error {
  override readonly name = "NotObservable";
}

/** The part of a tag that the weak comparison compares (RFC 9110 8.8.3.2). */
export const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** A 200 with its tag. */
export interface Current extends SeenResponse {
  readonly tag: string;
}

/**
 * The current pass, with its tag, which is any text that is not empty: the contract calls it opaque.
 *
 * @throws {NotObservable} when the answer is not a whole 200 with a tag.
 */
export async function readCurrent(
  { wallet, plan }: Subject,
  headers: Readonly<Record<string, string>> = {},
): Promise<Current> {
  const current = currentIn(await wallet.get({ reference: plan.reference, headers }));
  if (Object.keys(headers).length === 0 && !earliest.has(wallet)) earliest.set(wallet, current);
  return current;
}

/** An answer as the current pass. @throws {NotObservable} when it is not a whole 200 with a tag. */
export function currentIn(response: SeenResponse): Current {
  const { etag: tag = "" } = response.headers;
  if (response.status !== 200) throw new NotObservable("no 200 for the reference");
  if (tag === "") throw new NotObservable("no ETag on the 200");
  if (response.isCut) throw new NotObservable(`a body of more than ${BODY_BYTES_MAX} bytes`);
  return { ...response, tag };
}

const earliest = new WeakMap<Wallet, Current>();

/** The pass as it was when the check read it first. @throws {NotObservable} when it cannot be read. */
export const readEarliest = async (subject: Subject): Promise<Current> =>
  earliest.get(subject.wallet) ?? (await readCurrent(subject));

/**
 * The most looks at a rule that other events disturb. A change of the pass, a limit and a failure that each come every few
 * requests can disturb several looks in a row.
 */
const LOOKS_MAX = 8;

/**
 * The result of the first look that nothing disturbed. `look` gives undefined when, for example, the pass changed
 * meanwhile, and is then repeated, up to `looksMax` looks in all.
 *
 * @throws {NotObservable} with the reason when every look was disturbed.
 */
export async function lookAgain<Seen>(
  look: () => Promise<Seen | undefined>,
  reason = "the pass changed meanwhile, each time",
  looksMax = LOOKS_MAX,
): Promise<Seen> {
  for (let looks = 0; looks < looksMax; looks++) {
    const seen = await look();
    if (seen !== undefined) return seen;
  }
  throw new NotObservable(reason);
}

/** Runs a rule only once the reference was answered with 200, because the rule's own requests depend on that. */
export const onceAnswered = (rule: Rule): Rule => ({
  ...rule,
  run: async (subject) => {
    await requireAnswered(subject);
    return rule.run(subject);
  },
});

const answered = new WeakSet<Wallet>();

/** Asks for the reference until it was answered with 200 once. @throws {NotObservable} for any other answer. */
export async function requireAnswered({ wallet, plan }: Subject): Promise<void> {
  if (answered.has(wallet)) return;
  const { status } = await wallet.get({ reference: plan.reference });
  if (status !== 200) throw new NotObservable("no 200 for the reference");
  answered.add(wallet);
}

/** A server's text, safe to print, without the secrets that were sent; cut to 60 characters. */
export function shown(text: string | undefined, { wallet, plan }: Subject): string {
  if (text === undefined) return "absent";
  const visible = terminalText(maskSecrets(text, [wallet.credentials.token, plan.noScopeToken]));
  return visible.length > 60 ? `${visible.slice(0, 57)}...` : visible;
}

/** Whether the answer to a probe has a status. In place of a 401, other answers may count (`observeRefusal`). */
export async function observe(wallet: Wallet, probe: Probe, status: number): Promise<Answered> {
  if (status === 401) return observeRefusal(wallet, probe);
  const response = await wallet.get(probe);
  return {
    holds: response.status === status,
    seen: String(response.status),
    response,
    shownBy: [lastSent(wallet)],
  };
}

/** The request that was sent last. */
export function lastSent({ lastSent: request }: Wallet): SentRequest {
  if (request === undefined) throw new Error("Nothing was sent yet.");
  return request;
}

/**
 * Whether a probe with a bad credential is refused with 401. Where client certificates are used and the probe has no
 * trusted one, a proxy in front of the endpoint may break off the handshake or answer 403 instead.
 */
async function observeRefusal(wallet: Wallet, probe: Probe): Promise<Answered> {
  const own = wallet.credentials.tls.cert;
  const mayLackConnection = own !== undefined && (probe.credentials ?? wallet.credentials).tls.cert !== own;
  try {
    const response = await wallet.get(probe);
    const { status } = response;
    const holds = status === 401 || (mayLackConnection && status === 403);
    return { holds, seen: String(status), response, shownBy: [lastSent(wallet)] };
  } catch (error) {
    if (!(error instanceof NoAnswer && mayLackConnection) || error.isSilent) throw error;
    return { holds: true, seen: `no connection (${error.message})`, shownBy: [lastSent(wallet)] };
  }
}
