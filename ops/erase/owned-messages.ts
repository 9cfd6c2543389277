import { createHash } from "node:crypto";
import { type Message, SendMessageCommand } from "@aws-sdk/client-sqs";
import { type QueueRole, queues as queueRoles } from "../../infra/queues.ts";
import { type RecordKind, readMessage } from "../../lib/ingest/message.ts";
import { isMembers, parsedJson } from "../../lib/json-value.ts";
import { QueueJournal } from "../../local/queue/queue-journal.ts";
import { documentKinds } from "../../local/records/document-kinds.ts";
import type { OperatorQueues } from "../queue/queue-client.ts";
import { type MessageVisit, visitMessages } from "../queue/visit-messages.ts";
import { allOf } from "../undo/all-of.ts";
import { placesOf, type Tenant } from "./tenant.ts";

/** The kind of a tenant's records, in messages. */
const kindIn = ({ kind }: Pick<Tenant, "kind">): RecordKind =>
  documentKinds[placesOf[kind].documents].inMessages;

/** How many records of a message are a tenant's: none, all, or some. Then these are the texts of the others. */
type Share = "nothing" | "all" | readonly string[];

const referenceOf = (text: string): unknown => {
  const record: unknown = JSON.parse(text);
  return isMembers(record) ? record.partner_reference : undefined;
};

/** A message that breaks its contract may still name the tenant. One that is not JSON counts as nobody's. */
function shareOfUnreadable(body: string, { kind, id }: Tenant): Share {
  const document = parsedJson(body);
  if (!isMembers(document) || document.kind !== kindIn({ kind })) return "nothing";
  const isOwned = kind === "pass" ? body.includes(JSON.stringify(id)) : document.owner === id;
  return isOwned ? "all" : "nothing";
}

/** The share of a tenant in a message. */
function shareOf(body: string, tenant: Tenant): Share {
  const read = readMessage(body);
  if (!read.ok) return shareOfUnreadable(body, tenant);
  const { kind, owner, records } = read.message;
  if (kind !== kindIn(tenant)) return "nothing";
  if (tenant.kind !== "pass") return owner === tenant.id ? "all" : "nothing";
  const others = records.filter((text) => referenceOf(text) !== tenant.id);
  if (others.length === records.length) return "nothing";
  return others.length === 0 ? "all" : others;
}

/** The message that is left of one with the records of a tenant and of others. */
const bodyOf = (tenant: Tenant, others: readonly string[]): string =>
  `{"kind":"${kindIn(tenant)}","records":[${others.join(",")}]}`;

/** How the messages of a tenant are looked at. */
interface MessageSearch {
  readonly tenant: Tenant;
  /** Whether those that are found are removed. */
  readonly isErasing: boolean;
  readonly stop?: AbortSignal;
}

/** How many messages of a tenant were found in all queues, and how many were not removed. */
interface FoundMessages {
  readonly found: number;
  readonly remaining: number;
}

/**
 * Finds a tenant's messages in every queue, and removes them when they are to be erased. All others can be received
 * again at once. A message that has records of other passes too is sent again without those of the erased one.
 */
export async function searchMessages(queues: OperatorQueues, search: MessageSearch): Promise<FoundMessages> {
  let [found, remaining] = [0, 0];
  // All at once: that a queue is empty is known only after a wait.
  await allOf(queueRoles, (role) =>
    visitMessages(queues, role, search.stop, async (messages, visit) => {
      const owned = messages.filter(({ Body = "" }) => shareOf(Body, search.tenant) !== "nothing");
      found += owned.length;
      if (!search.isErasing) return;
      const left = await remove(queues, role, { visit, owned, tenant: search.tenant });
      remaining += left;
    }),
  );
  return { found, remaining: search.isErasing ? remaining : found };
}

interface Removal {
  readonly visit: MessageVisit;
  readonly owned: readonly Message[];
  readonly tenant: Tenant;
}

/** @returns how many could not be removed. */
async function remove(
  queues: OperatorQueues,
  role: QueueRole,
  { visit, owned, tenant }: Removal,
): Promise<number> {
  for (const { Body = "", Attributes, MessageAttributes } of owned) {
    const share = shareOf(Body, tenant);
    if (typeof share === "string") continue;
    // Sent before the message is removed, so that a failure in between loses no record of others.
    const QueueUrl = await queues.url(role);
    const MessageBody = bodyOf(tenant, share);
    const { MessageGroupId } = Attributes ?? {};
    await queues.client.send(
      new SendMessageCommand({ QueueUrl, MessageBody, MessageAttributes, MessageGroupId }),
    );
  }
  return (await visit.remove(owned.map(({ MessageId = "" }) => MessageId))).length;
}

/**
 * Finds a tenant's messages in a data directory that this process holds: a service that was stopped has left there what
 * was still in its queues. Removes them when they are to be erased, as in a queue.
 */
export async function searchKeptMessages(
  dataDir: string,
  { tenant, isErasing }: MessageSearch,
): Promise<FoundMessages> {
  const journal = await QueueJournal.open(dataDir);
  try {
    let found = 0;
    for (const { queue, message } of journal.messages) {
      const share = shareOf(message.body, tenant);
      if (share === "nothing") continue;
      found += 1;
      if (!isErasing) continue;
      journal.deleteMessage(message.messageId);
      if (share === "all") continue;
      const body = bodyOf(tenant, share);
      const md5OfBody = createHash("md5").update(body).digest("hex");
      journal.insertMessage(queue, { ...message, body, md5OfBody });
    }
    if (isErasing) journal.dropDeleted();
    return { found, remaining: isErasing ? 0 : found };
  } finally {
    journal.close();
  }
}
