import { ingestOutcomes } from "./ingest-outcomes.ts";
import { clockFaults, fullDisk, threadFaults } from "./other-faults.ts";
import { groupedTable } from "./page-table.ts";
import { queueFaults } from "./queue-faults.ts";
import { storeFaults } from "./store-faults.ts";

const INTRO = `\`ingest-records\` answers nobody: what becomes of a message is seen in the queues ([operations.md](operations.md#take-in-records-by-messages)). Each
fault meets a batch with a message of every kind and one whose records can never be stored. A call is tried three times, and again for some
fifteen seconds, within the function's minute.

- **In time.** Writing ends ten seconds before the function's time is over, and rejecting three.
- **Nothing is lost, nothing is doubled.** A message is done once each of its records is stored or rejected. Any other is received again six
  minutes later, five times in all before it is *dead*, and then stored, once.
- **Alone.** A fault of one table returns the messages that need it, and no others: kinds of records do not wait for each other, but for trades,
  which wait for the markets of their batch.
- **Told.** Each record that is returned counts in \`RecordsReturned\`, in a line with the fault. No line has anything of a record. The line of a
  kind tells eight faults apart, and counts others together.
- **At the usual work.** A thousand records that have failed take no more work than what each of them repeats.

| cell | the message | operators get |
| --- | --- | --- |
| stored, rejected | is done | nothing beside what rejected records always tell |
| returned | is received again | a line \`WARN\` with the fault; [Ingest late](runbook.md#ingest-late) rings, and after five times [Ingest dead](runbook.md#ingest-dead) |
| returned, \`ERROR\` | is received again | the same in a line \`ERROR\`: the fault does not look as if it passed by itself |
| all returned | is received again, with its whole batch | no line of ours; [Crash](runbook.md#crash) rings |`;

const ON_THE_WAY = `The column of the store is about the messages with good records, that of the queue *rejected* about the one with the bad records. A cell is empty
where that side has no such fault.`;

const TAKEN = `A call whose answer is lost or cannot be believed may have taken effect: the store then has the record, which is stored once however
often it comes. The queue *rejected* may have a record several times, with one \`message_id\` and \`position\`, where an answer ends or falls silent in its
middle, is halved, or has the digest of another message.`;

/** The part of `docs/faults.md` about messages with records. */
export const messagesSection = (): string =>
  [`## Records by messages\n\n${INTRO}`, ON_THE_WAY, connectionTable(), TAKEN, otherTable()].join("\n\n");

/** Faults of both sides, those of the store first. */
function connectionTable(): string {
  const ofStore = new Map(
    storeFaults.flatMap(({ what, ingest }) => (ingest === undefined ? [] : [[what, ingest] as const])),
  );
  const ofQueue = new Map(queueFaults.map(({ what, outcome }) => [what, outcome]));
  const cell = (outcome: keyof typeof ingestOutcomes | undefined): string =>
    outcome === undefined ? "" : ingestOutcomes[outcome].cell;
  return groupedTable(
    ["fault", "the store", "the queue *rejected*"],
    [...new Set([...ofStore.keys(), ...ofQueue.keys()])].map((what) => [
      what,
      cell(ofStore.get(what)),
      cell(ofQueue.get(what)),
    ]),
  );
}

function otherTable(): string {
  const clocks = clockFaults.map((fault) => ({ ...fault, subject: "the clock of the function" }));
  const threads = threadFaults.map((fault) => ({ ...fault, subject: "the function" }));
  const disks = [{ ...fullDisk, subject: "the store of `npm start`" }];
  return groupedTable(
    ["fault", "`ingest-records`"],
    [...clocks, ...threads, ...disks].flatMap(({ subject, what, ingest }) =>
      ingest === undefined ? [] : [[`${subject} ${what}`, ingestOutcomes[ingest].cell]],
    ),
  );
}
