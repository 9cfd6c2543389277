import { BoundedTasks } from "../bounded-tasks.ts";
import { Failure, unavailable } from "../errors.ts";
import type { Delivery } from "./delivery.ts";
import { CALLS_AT_ONCE, inCalls, type Refusal, type RejectedQueue } from "./rejected-queue.ts";
import type { Rejection } from "./rejection.ts";
import { giveBack, type Work } from "./work.ts";

/**
 * Sends what the messages of a batch have rejected, one message after the other, so that few are sent by half when the time
 * is over. A message that is returned anyway rejects the same records when it is received again, so nothing of it is sent
 * now. A message of which anything could not be sent is returned.
 */
export async function sendRejections(
  deliveries: readonly Delivery[],
  queue: Pick<RejectedQueue, "send">,
  work: Work,
): Promise<void> {
  const done = inTurns(deliveries.filter(({ isReturned }) => !isReturned));
  const sources = new Map(
    done.flatMap((delivery) => delivery.rejections.map((rejection) => [rejection, delivery] as const)),
  );
  const tasks = new BoundedTasks(CALLS_AT_ONCE);
  for (const call of inCalls([...sources.keys()]))
    await tasks.run(async () => {
      const untaken = await sendCall(call, queue, work);
      for (const rejection of call) settle(sources.get(rejection), untaken.get(rejection), work);
    });
  await tasks.end();
}

/**
 * The first message of each owner, then the second of each, and so on; of an owner those with the fewest rejections first.
 * So whatever one of them has rejected, another's comes soon. A message without an owner has turns of its own.
 */
function inTurns(deliveries: readonly Delivery[]): readonly Delivery[] {
  const bySize = deliveries.toSorted((a, b) => a.rejections.length - b.rejections.length);
  const byOwner = Map.groupBy(bySize, ({ records, messageId }) => records[0]?.head.owner ?? messageId);
  const rounds = [...byOwner.values()].flatMap((own) => own.map((delivery, round) => ({ delivery, round })));
  return rounds.toSorted((a, b) => a.round - b.round).map(({ delivery }) => delivery);
}

/** The rejections of a call that the queue did not take, each with the reason. */
async function sendCall(
  call: readonly Rejection[],
  queue: Pick<RejectedQueue, "send">,
  { clock, signal }: Work,
): Promise<ReadonlyMap<Rejection, unknown>> {
  try {
    signal.throwIfAborted();
    const { taken, refusals } = await queue.send(call, clock(), signal);
    const rest = call.filter((rejection) => !taken.includes(rejection));
    return new Map(rest.map((rejection) => [rejection, failureOf(refusals)]));
  } catch (error) {
    return new Map(call.map((rejection) => [rejection, error]));
  }
}

/** SQS's own words about a message may repeat it, so only its codes are told. */
function failureOf(refusals: readonly Refusal[]): Failure {
  const codes = [...new Set(refusals.map(({ code }) => code))].join(", ") || "no word about it";
  const message = `SQS did not take every message: ${codes}.`;
  const isLasting = refusals.some((refusal) => refusal.isLasting);
  return isLasting ? new Failure("internal_error", message) : unavailable(message);
}

function settle(delivery: Delivery | undefined, error: unknown, work: Work): void {
  if (delivery === undefined) return;
  if (error === undefined) work.report.count(delivery.kind, "RecordsRejected");
  else giveBack(delivery, error, work);
}
