import { maskSecrets, terminalText } from "../terminal/terminal-text.ts";
import { BODY_BYTES_MAX, NoAnswer, type SeenResponse } from "../wallet/http-exchange.ts";
import type { Probe, SentRequest, Wallet } from "../wallet/wallet.ts";

/** What a check was given, beside the credentials. */
export interface Plan {
  readonly reference: string;
  readonly goneReference?: string;
  /** Changes the pass; undefined when there is no way to. @throws {NotObservable} when it did not. */
  readonly change?: () => Promise<void>;
  /** How many requests may be sent to meet the rate limit; 0 for none. */
  readonly burst: number;
  /** A token that is valid and has not the scope. */
  readonly noScopeToken?: string;
  /** Where the credentials were read from, as the operator named it: curl lines take them from there. */
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

/** What a rule may use. */
export interface Subject {
  readonly wallet: Wallet;
  readonly plan: Plan;
}

/** What was seen, and whether the rule holds by it. */
export interface Observation {
  readonly holds: boolean;
  readonly seen: string;
  /** The requests that show it, in their order, where they are not just the one that was sent last. */
  readonly shownBy?: readonly SentRequest[];
}

/** What one answer, or the lack of one, says. */
export interface Answered extends Observation {
  /** Undefined where there was no connection. */
  readonly response?: SeenResponse;
  readonly shownBy: readonly [SentRequest];
}

/** One rule of the contract, and how to see whether a server keeps it. */
export interface Rule {
  /** Names the rule in machine-readable output. */
  readonly id: string;
  readonly rule: string;
  readonly expected: string;
  /** Why it is one, in a sentence, with the part of the contract or of an RFC that says so. */
  readonly why: string;
  /** Whether it takes many requests at once to see it. */
  readonly isBurst?: true;
  /** What is missing to check it; undefined when nothing is. */
  lacks?(subject: Subject): string | undefined;
  /** @throws {NotObservable} when another rule's breach hides this one. */
  run(subject: Subject): Promise<Observation>;
}

/** A rule cannot be judged, because what it builds on is not there. The message says what. */
export class NotObservable extends Error {
  override readonly name = "NotObservable";
}

const TAG = /^(?:W\/)?"[\x21\x23-\x7e\u0080-\u00ff]*"$/;

/** Whether a text is one entity tag (RFC 9110 8.8.3). */
export const isEntityTag = (text: string | undefined): text is string => text !== undefined && TAG.test(text);

/** What two tags have to share to be equal by the weak comparison (RFC 9110 8.8.3.2). */
export const opaque = (tag: string): string => tag.replace(/^W\//, "");

/** A 200 with its tag. */
export interface Current extends SeenResponse {
  readonly tag: string;
}

/** The pass as it is now, with its tag. @throws {NotObservable} when the server does not show one. */
export async function readCurrent(
  { wallet, plan }: Subject,
  headers: Readonly<Record<string, string>> = {},
): Promise<Current> {
  const response = await wallet.get({ reference: plan.reference, headers });
  const tag = response.headers.etag;
  if (response.status !== 200) throw new NotObservable("no 200 for the reference");
  if (!isEntityTag(tag)) throw new NotObservable("no entity tag on the 200");
  if (response.isCut) throw new NotObservable(`a body of more than ${BODY_BYTES_MAX} bytes`);
  return { ...response, tag };
}

/** How often a rule is looked at that something else came in between of. */
export const LOOKS_MAX = 3;

/**
 * What is seen as soon as nothing comes in between: `look` gives undefined when the pass changed in the midst of it, or
 * the like, and is asked again, a few times.
 *
 * @throws {NotObservable} with the reason when something always does.
 */
export async function lookAgain<Seen>(
  look: () => Promise<Seen | undefined>,
  reason = "the pass changed meanwhile, each time",
): Promise<Seen> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const seen = await look();
    if (seen !== undefined) return seen;
  }
  throw new NotObservable(reason);
}

/** Holds a rule back until the reference was seen to be answered with these credentials: what else is asked builds on it. */
export const onceAnswered = (rule: Rule): Rule => ({
  ...rule,
  run: async (subject) => {
    await requireAnswered(subject);
    return rule.run(subject);
  },
});

const answered = new WeakSet<Wallet>();

/** @throws {NotObservable} when the reference is not answered with 200. It is asked for until it once was. */
export async function requireAnswered({ wallet, plan }: Subject): Promise<void> {
  if (answered.has(wallet)) return;
  const { status } = await wallet.get({ reference: plan.reference });
  if (status !== 200) throw new NotObservable("no 200 for the reference");
  answered.add(wallet);
}

/** A text of the server as a terminal may show it, without the secrets that were sent. */
export function shown(text: string | undefined, { wallet, plan }: Subject): string {
  if (text === undefined) return "absent";
  const visible = terminalText(maskSecrets(text, [wallet.credentials.token, plan.noScopeToken]));
  return visible.length > 60 ? `${visible.slice(0, 57)}...` : visible;
}

/** Whether the answer to a probe has a status; a 401 may show itself otherwise (`observeRefusal`). */
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

/** The request that was answered last. */
export function lastSent({ lastSent: request }: Wallet): SentRequest {
  if (request === undefined) throw new Error("Nothing was sent yet.");
  return request;
}

/**
 * Whether a probe with a bad credential is turned away by a 401. Where client certificates are asked for and the probe
 * shows none that is trusted, what stands before the endpoint may break the handshake off, or answer 403 by itself.
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
