import type { SeenResponse } from "../wallet/http-exchange.ts";
import { retryAfterMs, waitMsAfter } from "../wallet/retry-after.ts";
import { isBusy, type Wallet } from "../wallet/wallet.ts";
import { REQUEST_ID_WHY } from "./echo-rules.ts";
import { NotObservable, type Observation, type Rule, requireAnswered, type Subject, shown } from "./rule.ts";

const AT_ONCE = 16;
const WAIT_MS_MAX = 60_000;
/** Longer waits are rarely meant: milliseconds that are sent as seconds look like this. */
const REMARKABLE_MS = 600_000;

/** A single 503 may be transient: the limit was met by a 429, or by as many 503s as are asked for at once. */
const isLimitMet = (responses: readonly SeenResponse[]): boolean =>
  responses.some(({ status }) => status === 429) || responses.filter(isBusy).length >= AT_ONCE;

/** What so many requests at once are answered with. It stops early once the limit was met. */
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

/** The one burst of a check, which all its rules look at. @throws {NotObservable} when it would meet refusals anyway. */
async function burstOf(subject: Subject): Promise<SeenResponse[]> {
  await requireAnswered(subject);
  const sent = floods.get(subject.wallet) ?? flood(subject);
  floods.set(subject.wallet, sent);
  return sent;
}

const lacks = ({ plan }: Subject): string | undefined => (plan.burst > 0 ? undefined : "--burst");

/** The refusals among the answers. @throws {NotObservable} when there is none. */
async function meetLimit(subject: Subject): Promise<readonly SeenResponse[]> {
  const responses = await burstOf(subject);
  const refusals = responses.filter(isBusy);
  if (refusals.length > 0) return refusals;
  throw new NotObservable(`no 429 within ${responses.length} requests; give a larger --burst`);
}

/** A 503 may leave open when to come back (RFC 9110 15.6.4): who has no capacity may not know. What it says has to be of use. */
const mustSayWhen = ({ status, headers }: SeenResponse): boolean =>
  status === 429 || headers["retry-after"] !== undefined;

const toldMs = (refusal: SeenResponse): number => retryAfterMs(refusal) ?? 0;

const remarkOn = (waitMs: number): string =>
  waitMs >= REMARKABLE_MS ? `, which is ${Math.round(waitMs / 60_000)} minutes: seconds are meant` : "";

/** How often one comes back to a server that has no capacity, which it can but guess at. */
const RETURNS_MAX = 3;

/** Asks once more after the longest wait that was told: who was refused last may have to wait longer than others. */
async function comeBack({ wallet, plan }: Subject, refusals: readonly SeenResponse[]): Promise<Observation> {
  const told = refusals.filter((refusal) => retryAfterMs(refusal) !== undefined);
  if (told.length === 0) throw new NotObservable("no Retry-After in seconds or as a date");
  let waitMs = Math.max(...told.map((refusal) => waitMsAfter(refusal, 0)));
  for (let returns = 0; returns < RETURNS_MAX; returns++) {
    if (waitMs > WAIT_MS_MAX)
      throw new NotObservable(`a Retry-After of more than ${WAIT_MS_MAX / 1000} seconds`);
    await wallet.wait(waitMs);
    const response = await wallet.send({ reference: plan.reference });
    if (response.status !== 503) return { holds: response.status === 200, seen: String(response.status) };
    waitMs = waitMsAfter(response, waitMs);
  }
  // Beside a limit that answers 429 it is a trouble of its own, which says nothing of the limit.
  if (refusals.some(({ status }) => status === 429))
    throw new NotObservable("a 503 after the wait, each time");
  return { holds: false, seen: "503, each time" };
}

/** Whether the Request-Id came back on a refusal for want of capacity, whichever request met it. */
const echoing = (status: number): Rule => ({
  id: `request-id-${status}`,
  rule: `Request-Id is echoed on a ${status}`,
  expected: "the value that was sent",
  why: REQUEST_ID_WHY,
  isBurst: true,
  run: async (subject) => {
    const refusal = subject.wallet.refusals.get(status);
    if (refusal === undefined) throw new NotObservable(`no ${status} was met`);
    const echoed = refusal.response.headers["request-id"];
    const isEcho = echoed === refusal.requestId;
    return {
      holds: isEcho,
      seen: isEcho ? "the value that was sent" : `Request-Id: ${shown(echoed, subject)}`,
    };
  },
});

/** What callers are told when there are too many of them. They come last: they leave the limit exhausted. */
export const burstRules: readonly Rule[] = [
  {
    id: "burst-statuses",
    isBurst: true,
    rule: "Too many requests are refused by 429 or 503 and by nothing else",
    expected: "200, 429 or 503",
    why: "Beyond a rate limit the answer is a 429, without capacity a 503 (contract, Errors); the wallet waits on no other.",
    lacks,
    run: async (subject) => {
      const statuses = [...new Set((await burstOf(subject)).map(({ status }) => status))].sort(
        (a, b) => a - b,
      );
      return {
        holds: statuses.every((status) => [200, 429, 503].includes(status)),
        seen: statuses.join(", "),
      };
    },
  },
  {
    id: "retry-after",
    isBurst: true,
    rule: "A 429 says when to come back, and so does a 503 that says anything",
    expected: "Retry-After: 1 second or more, or a date to come",
    why: "The wallet comes back after the delay in Retry-After, on a 429 and on a 503 (contract, Limits); a date counts from the answer's own Date (RFC 9110 10.2.3, 5.6.7).",
    lacks,
    run: async (subject) => {
      const refusals = (await meetLimit(subject)).filter(mustSayWhen);
      const useless = refusals.find((refusal) => toldMs(refusal) === 0);
      const refusal = useless ?? refusals[0];
      if (refusal === undefined) throw new NotObservable("a 503 without Retry-After, which HTTP allows");
      const text = shown(refusal.headers["retry-after"], subject);
      const seen = `${refusal.status}, Retry-After: ${text}${remarkOn(toldMs(refusal))}`;
      return { holds: useless === undefined, seen };
    },
  },
  {
    id: "retry-after-kept",
    isBurst: true,
    rule: "Who waits that long is answered",
    expected: "200",
    why: "The wallet retries after that delay (contract, Limits); one that is too short makes it fail again and again.",
    lacks,
    run: async (subject) => comeBack(subject, await meetLimit(subject)),
  },
  echoing(429),
  echoing(503),
];
