import type { STSClient } from "@aws-sdk/client-sts";
import { type Found, fail, ok, warn } from "../finding.ts";
import { clientOptions, type StageContext } from "./stage-context.ts";

const NOTED_MS = 5_000;
/** Beyond this an import stamps and judges records wrongly; AWS itself refuses signatures at five minutes. */
const WRONG_MS = 60_000;

/** Whose account the operator's credentials are of, and by how much this machine's clock is ahead of AWS's. */
interface Answer {
  readonly account: string | undefined;
  readonly arn: string | undefined;
  /** Milliseconds; undefined when the answer had no date. */
  readonly aheadMs: number | undefined;
}

/** Asks STS, which needs no permission, once for both checks. */
export function accountReader({
  region,
  clock,
}: Pick<StageContext, "region" | "clock">): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  const ask = async (): Promise<Answer> => {
    const { GetCallerIdentityCommand, STSClient } = await import("@aws-sdk/client-sts");
    const client = new STSClient(clientOptions({ region }));
    const dates = keepDates(client, clock);
    try {
      const { Account, Arn } = await client.send(new GetCallerIdentityCommand());
      return { account: Account, arn: Arn, aheadMs: dates() };
    } finally {
      client.destroy();
    }
  };
  return () => (answer ??= ask());
}

/** Keeps by how much the clock was ahead of the `Date` of the client's last answer. */
function keepDates(client: STSClient, clock: () => number): () => number | undefined {
  let aheadMs: number | undefined;
  client.middlewareStack.add(
    (next) => async (args) => {
      const sentAt = clock();
      const result = await next(args);
      const { headers = {} } = result.response as { readonly headers?: Record<string, string> };
      const date = Date.parse(headers.date ?? "");
      // The header has whole seconds: the answer was written somewhere within the second.
      if (!Number.isNaN(date)) aheadMs = (sentAt + clock()) / 2 - (date + 500);
      return result;
    },
    { step: "deserialize", priority: "low", name: "keepDates" },
  );
  return () => aheadMs;
}

/** Whether the credentials are of the stage's account. */
export async function checkAccount({ stage }: StageContext, read: () => Promise<Answer>): Promise<Found> {
  const { account, arn } = await read();
  if (stage.account === undefined || stage.account === account) return ok(`${account} as ${arn}`);
  return fail(
    `these credentials are of the account ${account}, the stage is in ${stage.account}`,
    "Set AWS_PROFILE to a profile of the stage's account.",
  );
}

/** Whether this machine's clock agrees with AWS's. */
export async function checkClock(read: () => Promise<Answer>): Promise<Found> {
  const { aheadMs } = await read();
  return judgeClock(aheadMs, "AWS's");
}

/** Judges a clock by how much it is ahead of another one, in milliseconds. */
export function judgeClock(aheadMs: number | undefined, whose: string): Found {
  if (aheadMs === undefined)
    return warn(`${whose} answer has no date`, "Look for a proxy that takes headers away.");
  const apartMs = Math.abs(aheadMs);
  const text = `${(apartMs / 1_000).toFixed(1)} s ${aheadMs < 0 ? "behind" : "ahead of"} ${whose}`;
  if (apartMs <= NOTED_MS) return ok(text);
  const todo = "Let this machine set its clock by the network (timedatectl set-ntp true).";
  return apartMs <= WRONG_MS
    ? warn(text, todo)
    : fail(text, `${todo} Imports and signatures are judged by it.`);
}
