import { NEEDS, NotObservable } from "../checks/rule.ts";
import type { SeenResponse } from "../wallet/http-exchange.ts";
import { readRetryAfter, waitMsAfter } from "../wallet/retry-after.ts";
import { isBusy, type Refusal, type Wallet } from "../wallet/wallet.ts";
import { aboutEcho, seenEcho } from "./status-rules.ts";
import { type PassRule, requireAnswered, type Seen, type Subject, seenStatus, shown } from "./subject.ts";

const AT_ONCE = 16;
const WAIT_MS_MAX = 60_000;
/** A longer wait is probably a mistake, such as milliseconds that are sent as seconds. */
const REMARKABLE_MS = 600_000;

/** Whether the limit was reached: by a 429, or by as many 503s as requests go out at once. One 503 may be transient. */
const isLimitMet = (responses: readonly SeenResponse[]): boolean =>
  responses.some(({ status }) => status === 429) || responses.filter(isBusy).length >= AT_ONCE;

/** Sends the burst and returns the answers. It stops early once the limit was reached. */
async function flood({ wallet, plan }: Subject): Promise<SeenResponse[]> {
  const responses: SeenResponse[] = [];
  let left = plan.burst;
  const lane = async (): Promise<void> => {
    while (left > 0 && !isLimitMet(responses)) {
      left -= 1;
      responses.push(await wallet.send({ reference: plan.reference }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, plan.burst) }, lane));
  return responses;
}

const floods = new WeakMap<Wallet, Promise<SeenResponse[]>>();

/** The one burst of a check, which all burst rules judge. @throws {NotObservable} when even one request is refused. */
async function burstOf(subject: Subject): Promise<SeenResponse[]> {
  await requireAnswered(subject);
  const sent = floods.get(subject.wallet) ?? flood(subject);
  floods.set(subject.wallet, sent);
  return sent;
}

/** The answers of the burst with 429 or 503. @throws {NotObservable} when there is none. */
async function meetLimit(subject: Subject): Promise<readonly SeenResponse[]> {
  const responses = await burstOf(subject);
  const refusals = responses.filter(isBusy);
  if (refusals.length > 0) return refusals;
  throw unmet(responses.length);
}

/** Whether the Retry-After of a refusal is judged. A 503 may leave it out (RFC 9110 15.6.4). */
const mustSayWhen = ({ status, headers }: Refusal): boolean =>
  status === 429 || headers["retry-after"] !== undefined;

const toldMs = (refusal: Refusal): number => readRetryAfter(refusal)?.ms ?? 0;

/** What is wrong with the Retry-After of a refusal, in words; undefined when the wallet can wait by it. */
function faultOfWait(refusal: Refusal): string | undefined {
  const told = readRetryAfter(refusal);
  if (told === undefined) return "the wallet cannot tell when to come back";
  return told.fault ?? (toldMs(refusal) === 0 ? "no time at all" : undefined);
}

/** Every 429 and 503 of the check, the burst's included. @throws {NotObservable} when there is none. */
async function refusalsOf(subject: Subject): Promise<readonly Refusal[]> {
  if (subject.plan.burst > 0) await burstOf(subject);
  const { refusals } = subject.wallet;
  if (refusals.length > 0) return refusals;
  throw unmet(subject.plan.burst);
}

const unmet = (requests: number) =>
  new NotObservable(`no 429 within ${requests} requests; give a larger --burst`);

const remarkOn = (waitMs: number): string =>
  waitMs >= REMARKABLE_MS ? `, which is ${Math.round(waitMs / 60_000)} minutes: is it in milliseconds?` : "";

/** The most returns to a server without capacity, which can only guess its Retry-After. */
const RETURNS_MAX = 3;

/** Asks again after the longest wait that a refusal named, because later refusals may name longer waits. */
async function comeBack({ wallet, plan }: Subject, refusals: readonly SeenResponse[]): Promise<Seen> {
  const told = refusals.filter((refusal) => readRetryAfter(refusal)?.ms !== undefined);
  if (told.length === 0) throw new NotObservable("no Retry-After in seconds or as a date");
  let waitMs = Math.max(...told.map((refusal) => waitMsAfter(refusal, 0)));
  for (let returns = 0; returns < RETURNS_MAX; returns++) {
    if (waitMs > WAIT_MS_MAX)
      throw new NotObservable(`a Retry-After of more than ${WAIT_MS_MAX / 1000} seconds`);
    await wallet.wait(waitMs);
    const response = await wallet.send({ reference: plan.reference });
    if (response.status !== 503) return seenStatus(response, response.status === 200);
    waitMs = waitMsAfter(response, waitMs);
  }
  // Where the limit answers 429, a 503 has another cause and says nothing about the limit.
  if (refusals.some(({ status }) => status === 429))
    throw new NotObservable("a 503 after the wait, each time");
  return { holds: false, seen: "503, each time" };
}

/** The rule that a 429 or 503 echoes the Request-Id, whichever request it answers. */
const echoing = (status: number): PassRule => ({
  ...aboutEcho(status),
  isBurst: true,
  run: (subject) => {
    const refusal = subject.wallet.refusals.findLast(
      (one) => one.status === status && one.request.headers["Request-Id"] !== undefined,
    );
    if (refusal === undefined) throw new NotObservable(`no ${status} was met`);
    return seenEcho(refusal.headers["request-id"], refusal.request.headers["Request-Id"], subject);
  },
});

/** The rules about refusals beyond the rate limit. They come last, because they leave the limit exhausted. */
export const burstRules: readonly PassRule[] = [
  {
    id: "burst-statuses",
    isBurst: true,
    rule: "Too many requests are refused with 429 or 503 and no other status",
    expected: "200, 429 or 503",
    why: "Beyond a rate limit the answer is a 429, without capacity a 503 (contract, Errors); the wallet waits after no other status.",
    needs: ["--burst"],
    run: async (subject) => {
      const seen = new Set((await burstOf(subject)).map(({ status }) => status));
      const statuses = [...seen].sort((a, b) => a - b);
      const holds = statuses.every((status) => [200, 429, 503].includes(status));
      return { holds, seen: statuses.join(", ") };
    },
  },
  {
    id: "retry-after",
    isBurst: true,
    rule: "A 429 has a usable Retry-After, and so does a 503 that has one",
    expected: "Retry-After: 1 second or more, in whole seconds, or a future date",
    why: "The wallet retries after the delay in Retry-After, on a 429 and on a 503 (contract, Limits): whole seconds, or a date, which counts from the answer's own Date (RFC 9110 10.2.3, 5.6.7).",
    run: async (subject) => {
      // A server may also refuse what comes before the burst.
      if (subject.wallet.refusals.length === 0 && subject.plan.burst === 0)
        throw new NotObservable(`${NEEDS}--burst`);
      const refusals = (await refusalsOf(subject)).filter(mustSayWhen);
      const useless = refusals.find((refusal) => faultOfWait(refusal) !== undefined);
      const refusal = useless ?? refusals[0];
      if (refusal === undefined) throw new NotObservable("a 503 without Retry-After, which HTTP allows");
      const text = shown(refusal.headers["retry-after"], subject);
      const remark = useless === undefined ? remarkOn(toldMs(refusal)) : ` (${faultOfWait(useless)})`;
      return {
        holds: useless === undefined,
        seen: `${refusal.status}, Retry-After: ${text}${remark}`,
        shownBy: [refusal.request],
      };
    },
  },
  {
    id: "retry-after-kept",
    isBurst: true,
    rule: "A request after that delay is answered",
    expected: "200",
    why: "The wallet retries after that delay (contract, Limits); if the delay is too short, the wallet fails again and again.",
    needs: ["--burst"],
    run: async (subject) => comeBack(subject, await meetLimit(subject)),
  },
  echoing(429),
  echoing(503),
];
