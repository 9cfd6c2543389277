import type { SeenResponse } from "../wallet/http-exchange.ts";
import { retryAfterMs } from "../wallet/retry-after.ts";
import { isBusy, type Wallet } from "../wallet/wallet.ts";
import { REQUEST_ID_WHY } from "./echo-rules.ts";
import { NotObservable, type Rule, requireAnswered, type Subject, shown } from "./rule.ts";

const AT_ONCE = 16;
const WAIT_MS_MAX = 60_000;
/** Longer waits are rarely meant: milliseconds that are sent as seconds look like this. */
const REMARKABLE_MS = 600_000;

/** What so many requests at once are answered with. It stops early once the limit was met. */
async function flood({ wallet, plan }: Subject): Promise<SeenResponse[]> {
  const responses: SeenResponse[] = [];
  let left = plan.burst;
  const lane = async (): Promise<void> => {
    while (left > 0 && !responses.some(isBusy)) {
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

/** The limit's refusal among the answers. @throws {NotObservable} when the limit was not met. */
async function meetLimit(subject: Subject): Promise<SeenResponse> {
  const responses = await burstOf(subject);
  const refusal = responses.find(isBusy);
  if (refusal !== undefined) return refusal;
  throw new NotObservable(`no 429 within ${responses.length} requests; give a larger --burst`);
}

const remarkOn = (waitMs: number): string =>
  waitMs >= REMARKABLE_MS ? `, which is ${Math.round(waitMs / 60_000)} minutes: seconds are meant` : "";

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
    rule: "A 429 or 503 says when to come back",
    expected: "Retry-After: 1 second or more, or a date to come",
    why: "The wallet comes back after the delay in Retry-After, on a 429 and on a 503 (contract, Limits; RFC 9110 10.2.3).",
    lacks,
    run: async (subject) => {
      const refusal = await meetLimit(subject);
      const waitMs = retryAfterMs(refusal, subject.wallet.clock()) ?? 0;
      const text = shown(refusal.headers["retry-after"], subject);
      return { holds: waitMs > 0, seen: `${refusal.status}, Retry-After: ${text}${remarkOn(waitMs)}` };
    },
  },
  {
    id: "retry-after-kept",
    isBurst: true,
    rule: "Who waits that long is answered",
    expected: "200",
    why: "The wallet retries after that delay (contract, Limits); one that is too short makes it fail again and again.",
    lacks,
    run: async (subject) => {
      const waitMs = retryAfterMs(await meetLimit(subject), subject.wallet.clock());
      if (waitMs === undefined) throw new NotObservable("no Retry-After in seconds or as a date");
      if (waitMs > WAIT_MS_MAX)
        throw new NotObservable(`a Retry-After of more than ${WAIT_MS_MAX / 1000} seconds`);
      await subject.wallet.wait(waitMs);
      const { status } = await subject.wallet.send({ reference: subject.plan.reference });
      return { holds: status === 200, seen: String(status) };
    },
  },
  echoing(429),
  echoing(503),
];
