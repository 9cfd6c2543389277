import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sendMessage } from "../../../../local/queue/queue-actions.ts";
import { QueueJournal } from "../../../../local/queue/queue-journal.ts";
import { searchKeptMessages } from "../../../../ops/erase/owned-messages.ts";
import { queueOf, testQueues } from "../../../support/local-queues.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const tenant = { kind: "pass", id: "p-1" } as const;
const pass = (reference: string) => ({ partner_reference: reference, type: "loyalty_pass", version: 1 });

test("messages that a stopped service has left lose the records of an erased pass, and keep those of others", async () => {
  const data = scratchDirectory();
  const journal = await QueueJournal.open(data);
  const queues = testQueues(journal);
  const bodies = [
    { kind: "pass", records: [pass("p-1"), pass("p-10")] },
    { kind: "pass", record: pass("p-1") },
    { kind: "pass", record: pass("p-2") },
  ].map((body) => JSON.stringify(body));
  for (const MessageBody of bodies)
    sendMessage(queueOf(queues, "rejected"), { MessageBody, MessageGroupId: "pass" });
  journal.close();
  expect(await searchKeptMessages(data, { tenant, isErasing: false })).toEqual({ found: 2, remaining: 2 });
  expect(await searchKeptMessages(data, { tenant, isErasing: true })).toEqual({ found: 2, remaining: 0 });
  expect(readFileSync(join(data, "queues.ndjson"), "utf8")).not.toContain('p-1\\"');
  const left = testQueues(await QueueJournal.open(data));
  const { ready } = queueOf(left, "rejected").inspectMessages();
  expect(ready.map(({ body }) => body).toSorted()).toEqual([
    bodies[2],
    JSON.stringify({ kind: "pass", records: [pass("p-10")] }),
  ]);
  expect(ready.map(({ messageGroupId }) => messageGroupId)).toEqual(["pass", "pass"]);
});
