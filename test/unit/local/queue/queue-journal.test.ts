import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { deleteMessage } from "../../../../local/queue/fauxqs.ts";
import { messageCount } from "../../../../local/queue/local-queues.ts";
import { sendMessage } from "../../../../local/queue/queue-actions.ts";
import { QueueJournal } from "../../../../local/queue/queue-journal.ts";
import { cases } from "../../../support/cases.ts";
import { queueOf, testQueues } from "../../../support/local-queues.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const roles = ["records", "rejected", "dead"] as const;
type Role = (typeof roles)[number];

/** The bodies of a queue's messages and how often each was received, in no order. */
const contentOf = (queues: ReturnType<typeof testQueues>, role: Role): readonly string[] => {
  const { ready, inflight } = queueOf(queues, role).inspectMessages();
  return [...ready, ...inflight.map(({ message }) => message)]
    .map(({ messageId, body, approximateReceiveCount }) => `${messageId} ${body} ${approximateReceiveCount}`)
    .sort();
};

async function open(directory: string, spareLines?: number) {
  const journal = await QueueJournal.open(directory, spareLines);
  return { journal, queues: testQueues(journal) };
}

it("whatever was sent, received, deleted, returned and moved, a start finds what was there when the last call was answered", async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant("send"), role: fc.constantFrom(...roles) }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant("receive"), role: fc.constantFrom(...roles) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("delete"), role: fc.constantFrom(...roles) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant("return"), role: fc.constantFrom(...roles) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("purge"), role: fc.constantFrom(...roles) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const directory = scratchDirectory();
      // So few spare lines that the file is shortened again and again.
      const { journal, queues } = await open(directory, 3);
      for (const [at, { act, role }] of steps.entries()) {
        const queue = queueOf(queues, role);
        const [taken] = queue.inspectMessages().inflight;
        if (act === "send") sendMessage(queue, { MessageBody: `body ${at}` });
        if (act === "receive") queue.dequeue(1, undefined, (arn) => queues.store.getQueueByArn(arn));
        if (act === "delete" && taken !== undefined)
          deleteMessage({ QueueUrl: queue.url, ReceiptHandle: taken.receiptHandle }, queues.store);
        if (act === "return" && taken !== undefined) queue.changeVisibility(taken.receiptHandle, 0);
        if (act === "purge") queue.purge();
        journal.flush();
      }
      // Killed: nothing is closed.
      const again = await open(directory);
      for (const role of roles) expect(contentOf(again.queues, role)).toEqual(contentOf(queues, role));
      again.journal.close();
    }),
    { numRuns: cases(12) },
  );
});

it("a message that was being received when the process ended can be received at once", async () => {
  const directory = scratchDirectory();
  const { journal, queues } = await open(directory);
  sendMessage(queueOf(queues, "records"), { MessageBody: "a" });
  queueOf(queues, "records").dequeue(1);
  journal.flush();
  const again = queueOf((await open(directory)).queues, "records");
  expect(again.dequeue(1)).toMatchObject([{ Body: "a" }]);
  expect(again.inspectMessages().inflight[0]?.message.approximateReceiveCount).toBe(2);
});

it("a line that a killed process did not finish is dropped, and the lines before it count", async () => {
  const directory = scratchDirectory();
  const { journal, queues } = await open(directory);
  sendMessage(queueOf(queues, "records"), { MessageBody: "a" });
  journal.close();
  appendFileSync(join(directory, "queues.ndjson"), '{"gone":"');
  expect(messageCount(queueOf((await open(directory)).queues, "records"))).toBe(1);
});

it("only its owner can read the file, which is empty once no message is left", async () => {
  const directory = scratchDirectory();
  const { journal, queues } = await open(directory);
  const file = join(directory, "queues.ndjson");
  const queue = queueOf(queues, "records");
  sendMessage(queue, { MessageBody: "a" });
  journal.flush();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain('"a"');
  const [received] = queue.dequeue(1);
  queue.deleteMessage(received?.ReceiptHandle ?? "");
  journal.flush();
  expect(readFileSync(file, "utf8")).toBe("");
});

it("a message that stays for good does not keep the lines of all that come and go", async () => {
  const directory = scratchDirectory();
  const { journal, queues } = await open(directory, 20);
  sendMessage(queueOf(queues, "rejected"), { MessageBody: "stays" });
  const records = queueOf(queues, "records");
  const linesAfter: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    sendMessage(records, { MessageBody: `body ${n}` });
    const [received] = records.dequeue(1);
    records.deleteMessage(received?.ReceiptHandle ?? "");
    journal.flush();
    linesAfter.push(readFileSync(join(directory, "queues.ndjson"), "utf8").split("\n").length - 1);
  }
  expect(Math.max(...linesAfter)).toBeLessThanOrEqual(24);
  expect(statSync(join(directory, "queues.ndjson")).mode & 0o777).toBe(0o600);
  journal.close();
  expect(contentOf((await open(directory)).queues, "rejected")).toHaveLength(1);
});
