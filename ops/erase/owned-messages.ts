import { createHash } from "node:crypto";
import { type Message, SendMessageCommand } from "@aws-sdk/client-sqs";
import { type QueueRole, queues as queueRoles } from "../../infra/queues.ts";
import { type RecordKind, readMessage } from "../../lib/ingest/message.ts";
import { isMembers, parsedJson } from "../../lib/json-value.ts";
import { QueueJournal } from "../../local/queue/queue-journal.ts";
import { documentKinds } from "../../local/records/document-kinds.ts";
import type { OperatorQueues } from "../queue/queue-client.ts";
import { visitMessages } from "../queue/visit-messages.ts";
import { allOf } from "../undo/all-of.ts";
import { placesOf, type Tenant } from "./tenant.ts";

/** The kind of a tenant's records, in messages. */
const kindIn = ({ kind }: Tenant): RecordKind => documentKinds[placesOf[kind].documents].inMessages;

function isOf(record: string, reference: string): boolean {
  const read = parsedJson(record);
  return isMembers(read) && read.partner_reference === reference;
}

/** A message that breaks its contract may still name the tenant. One that is not a JSON object counts as nobody's. */
function isOfTenant(body: string, tenant: Tenant): boolean {
  const read = parsedJson(body);
  if (!isMembers(read) || read.kind !== kindIn(tenant)) return false;
  return tenant.kind === "pass" ? body.includes(JSON.stringify(tenant.id)) : read.owner === tenant.id;
}

/** The texts of the other records in a message that has records of a tenant; undefined for one that has none. */
function othersIn(body: string, tenant: Tenant): readonly string[] | undefined {
  const read = readMessage(body);
  if (!read.ok) return isOfTenant(body, tenant) ? [] : undefined;
  const { kind, owner, records } = read.message;
  if (kind !== kindIn(tenant)) return undefined;
  if (tenant.kind !== "pass") return owner === tenant.id ? [] : undefined;
  const others = records.filter((record) => !isOf(record, tenant.id));
  return others.length === records.length ? undefined : others;
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
      const owned = messages.filter(({ Body = "" }) => othersIn(Body, search.tenant) !== undefined);
      found += owned.length;
      if (!search.isErasing) return;
      // Sent before the messages are removed, so that a failure in between loses no record of others.
      await sendOthers(queues, role, owned, search.tenant);
      const failed = await visit.remove(owned.map(({ MessageId = "" }) => MessageId));
      remaining += failed.length;
    }),
  );
  return { found, remaining: search.isErasing ? remaining : found };
}

/** Sends each message again without the records of the tenant, if it has others. */
async function sendOthers(
  queues: OperatorQueues,
  role: QueueRole,
  owned: readonly Message[],
  tenant: Tenant,
): Promise<void> {
  for (const { Body = "", Attributes, MessageAttributes } of owned) {
    const others = othersIn(Body, tenant) ?? [];
    if (others.length === 0) continue;
    const QueueUrl = await queues.url(role);
    const MessageBody = bodyOf(tenant, others);
    const { MessageGroupId } = Attributes ?? {};
    await queues.client.send(
      new SendMessageCommand({ QueueUrl, MessageBody, MessageAttributes, MessageGroupId }),
    );
  }
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
      const others = othersIn(message.body, tenant);
      if (others === undefined) continue;
      found += 1;
      if (!isErasing) continue;
      journal.deleteMessage(message.messageId);
      if (others.length === 0) continue;
      const body = bodyOf(tenant, others);
      const md5OfBody = createHash("md5").update(body).digest("hex");
      journal.insertMessage(queue, { ...message, body, md5OfBody });
    }
    if (isErasing) journal.dropDeleted();
    return { found, remaining: isErasing ? 0 : found };
  } finally {
    journal.close();
  }
}
