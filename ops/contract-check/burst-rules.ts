import type { SeenResponse } from "./http-exchange.ts";
import { NotObservable, type Rule, type Subject, shown } from "./rule.ts";
import { isBusy, retryAfterMs } from "./wallet.ts";

const AT_ONCE = 16;
const WAIT_MS_MAX = 60_000;

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

const lacks = ({ plan }: Subject): string | undefined => (plan.burst > 0 ? undefined : "--burst");

/** The limit's refusal among the answers. @throws {NotObservable} when the limit was not met. */
async function meetLimit(subject: Subject): Promise<SeenResponse> {
  const responses = await flood(subject);
  const refusal = responses.find(isBusy);
  if (refusal !== undefined) return refusal;
  throw new NotObservable(`no 429 within ${responses.length} requests; give a larger --burst`);
}

/** What callers are told when there are too many of them. They come last: they leave the limit exhausted. */
export const burstRules: readonly Rule[] = [
  {
    id: "burst-statuses",
    rule: "Too many requests are refused by 429 or 503 and by nothing else",
    expected: "200, 429 or 503",
    lacks,
    run: async (subject) => {
      const statuses = [...new Set((await flood(subject)).map(({ status }) => status))].sort((a, b) => a - b);
      return {
        holds: statuses.every((status) => [200, 429, 503].includes(status)),
        seen: statuses.join(", "),
      };
    },
  },
  {
    id: "retry-after",
    rule: "A 429 or 503 says when to come back",
    expected: "Retry-After: whole seconds, 1 or more",
    lacks,
    run: async (subject) => {
      const refusal = await meetLimit(subject);
      const waitMs = retryAfterMs(refusal) ?? 0;
      return {
        holds: waitMs > 0,
        seen: `${refusal.status}, Retry-After: ${shown(refusal.headers["retry-after"])}`,
      };
    },
  },
  {
    id: "retry-after-kept",
    rule: "Who waits that long is answered",
    expected: "200",
    lacks,
    run: async (subject) => {
      const waitMs = retryAfterMs(await meetLimit(subject));
      if (waitMs === undefined) throw new NotObservable("no Retry-After in seconds");
      if (waitMs > WAIT_MS_MAX)
        throw new NotObservable(`a Retry-After of more than ${WAIT_MS_MAX / 1000} seconds`);
      await subject.wallet.wait(waitMs);
      const { status } = await subject.wallet.send({ reference: subject.plan.reference });
      return { holds: status === 200, seen: String(status) };
    },
  },
];
