import { NoAnswer, type SeenResponse } from "./http-exchange.ts";
import type { Probe, Wallet } from "./wallet.ts";

/** What a check was given, beside the credentials. */
export interface Plan {
  readonly reference: string;
  readonly goneReference?: string;
  /** Changes the pass; undefined when there is no way to. */
  readonly change?: () => Promise<void>;
  /** How many requests may be sent to meet the rate limit; 0 for none. */
  readonly burst: number;
  /** A token that is valid and has not the scope. */
  readonly noScopeToken?: string;
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
}

/** One rule of the contract, and how to see whether a server keeps it. */
export interface Rule {
  /** Names the rule in machine-readable output. */
  readonly id: string;
  readonly rule: string;
  readonly expected: string;
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

/** The pass as it is now, with its tag. @throws {NotObservable} when the server does not show one. */
export async function readCurrent({
  wallet,
  plan,
}: Subject): Promise<SeenResponse & { readonly tag: string }> {
  const response = await wallet.get({ reference: plan.reference });
  const tag = response.headers.etag;
  if (response.status !== 200) throw new NotObservable("no 200 for the reference");
  if (!isEntityTag(tag)) throw new NotObservable("no entity tag on the 200");
  return { ...response, tag };
}

/** A text of the server as a terminal may show it. */
export function shown(text: string | undefined): string {
  if (text === undefined) return "absent";
  const visible = text.replace(/[^\x20-\x7e]/g, "?");
  return visible.length > 60 ? `${visible.slice(0, 57)}...` : visible;
}

/** Whether the answer to a probe has a status. */
export async function observeStatus(wallet: Wallet, probe: Probe, expected: number): Promise<Observation> {
  const { status } = await wallet.get(probe);
  return { holds: status === expected, seen: String(status) };
}

/**
 * Whether a probe with a bad credential is turned away: by a 401, or, where client certificates are asked for, by what
 * stands before the endpoint, which breaks the handshake off or answers 403 by itself.
 */
export async function observeRefusal(wallet: Wallet, probe: Probe): Promise<Observation> {
  const asksForCertificates = wallet.credentials.tls.cert !== undefined;
  try {
    const { status } = await wallet.get(probe);
    return { holds: status === 401 || (asksForCertificates && status === 403), seen: String(status) };
  } catch (error) {
    if (!(error instanceof NoAnswer && asksForCertificates)) throw error;
    return { holds: true, seen: `no connection (${error.message})` };
  }
}
