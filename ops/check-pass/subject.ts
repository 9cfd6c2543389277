import { NotObservable, type Observation, type Rule } from "../checks/rule.ts";
import { maskSecrets, terminalText } from "../terminal/terminal-text.ts";
import { BODY_BYTES_MAX, NoAnswer, type SeenResponse } from "../wallet/http-exchange.ts";
import type { Answer, Probe, SentRequest, Wallet } from "../wallet/wallet.ts";

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
  readonly isStrict?: boolean;
  /** The files of the credentials, as the operator named them: curl lines read the credentials from there. */
  readonly files?: CredentialFiles;
}

/** Names of files, `-` for standard input. */
type CredentialFiles = Readonly<
  Partial<Record<"token" | "noScopeToken" | "jwsKey" | "cert" | "key" | "ca", string | undefined>>
>;

/** The client and the plan that a rule may use. */
export interface Subject {
  readonly wallet: Wallet;
  readonly plan: Plan;
}

/** What rules may need of the command line, by the options that give it. */
export const needed = {
  "--token-file": ({ wallet }) => wallet.credentials.token !== undefined,
  "--jws-key": ({ wallet }) => wallet.credentials.signingKey !== undefined,
  "--cert and --key": ({ wallet }) => wallet.credentials.tls.cert !== undefined,
  "--no-scope-token-file": ({ plan }) => plan.noScopeToken !== undefined,
  "--gone-reference": ({ plan }) => plan.goneReference !== undefined,
  "--changed-by": ({ plan }) => plan.change !== undefined,
  "--burst": ({ plan }) => plan.burst > 0,
} as const satisfies Readonly<Record<string, (subject: Subject) => boolean>>;

/** An observation of a server. */
export interface Seen extends Observation {
  /** The requests that show it, in their order; undefined when the last request alone shows it. */
  readonly shownBy?: readonly SentRequest[];
}

/** The observation of one answer, or of a connection that was refused. */
export interface Answered extends Seen {
  /** Undefined where there was no connection. */
  readonly response?: SeenResponse;
  readonly shownBy: readonly SentRequest[];
}

/** One rule for a pass endpoint. */
export interface PassRule extends Rule<Subject, Seen> {
  readonly needs?: readonly (keyof typeof needed)[];
  /** Whether the rule's own requests depend on a 200 for the reference. */
  readonly needsPass?: true;
  /** Whether the rule can be observed only with many requests at once. */
  readonly isBurst?: true;
}

/** The part of a tag that the weak comparison compares (RFC 9110 8.8.3.2). */
export const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** A 200 with its tag. */
export interface Current extends Answer {
  readonly tag: string;
}

/** Asks for the pass. */
export const ask = ({ wallet, plan }: Subject, headers: Probe["headers"] = {}): Promise<Answer> =>
  wallet.get({ reference: plan.reference, headers });

/** Asks for the pass. @throws {NotObservable} for another answer than a 200. */
export async function askFor200(subject: Subject): Promise<Answer> {
  const response = await ask(subject);
  if (response.status !== 200) throw new NotObservable("no 200 for the reference");
  return response;
}

/**
 * The current pass, with its tag, which is any text that is not empty: the contract calls it opaque.
 *
 * @throws {NotObservable} when the answer is not a whole 200 with a tag.
 */
export async function readCurrent(subject: Subject, headers: Probe["headers"] = {}): Promise<Current> {
  const current = currentIn(await ask(subject, headers));
  const { wallet } = subject;
  if (Object.keys(headers).length === 0 && !earliest.has(wallet)) earliest.set(wallet, current);
  return current;
}

/** An answer as the current pass. @throws {NotObservable} when it is not a whole 200 with a tag. */
export function currentIn(response: Answer): Current {
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
export async function lookAgain<Found>(
  look: () => Promise<Found | undefined>,
  reason = "the pass changed meanwhile, each time",
  looksMax = LOOKS_MAX,
): Promise<Found> {
  for (let looks = 0; looks < looksMax; looks++) {
    const seen = await look();
    if (seen !== undefined) return seen;
  }
  throw new NotObservable(reason);
}

const answered = new WeakSet<Wallet>();

/** Asks for the reference until it was answered with 200 once. @throws {NotObservable} for any other answer. */
export async function requireAnswered(subject: Subject): Promise<void> {
  if (answered.has(subject.wallet)) return;
  await askFor200(subject);
  answered.add(subject.wallet);
}

/** A server's text, safe to print, without the secrets that were sent; cut to 60 characters. */
export function shown(text: string | undefined, { wallet, plan }: Subject): string {
  if (text === undefined) return "absent";
  const visible = terminalText(maskSecrets(text, [wallet.credentials.token, plan.noScopeToken]));
  return visible.length > 60 ? `${visible.slice(0, 57)}...` : visible;
}

/** An answer by its status alone. */
export const seenStatus = (response: Answer, holds: boolean): Answered => ({
  holds,
  seen: String(response.status),
  response,
  shownBy: [response.request],
});

/**
 * Whether the answer to a probe has a status. Where client certificates are used and a probe that is to be refused with
 * 401 has no trusted one, a proxy in front of the endpoint may break off the handshake or answer 403 instead.
 */
export async function observe({ wallet }: Subject, probe: Probe, status: number): Promise<Answered> {
  const own = wallet.credentials.tls.cert;
  const mayLackConnection =
    status === 401 && own !== undefined && (probe.credentials ?? wallet.credentials).tls.cert !== own;
  try {
    const response = await wallet.get(probe);
    const holds = response.status === status || (mayLackConnection && response.status === 403);
    return seenStatus(response, holds);
  } catch (error) {
    if (!(error instanceof NoAnswer && mayLackConnection) || error.isSilent) throw error;
    const shownBy = wallet.lastSent === undefined ? [] : [wallet.lastSent];
    return { holds: true, seen: `no connection (${error.message})`, shownBy };
  }
}

/** The rule that one request is answered with a status. */
export const answering = ({
  status,
  probe,
  ...about
}: Omit<PassRule, "expected" | "run"> & {
  readonly status: number;
  readonly probe: (subject: Subject, reference: string) => Probe | Promise<Probe>;
}): PassRule => ({
  ...about,
  expected: String(status),
  run: async (subject) => observe(subject, await probe(subject, subject.plan.reference), status),
});
