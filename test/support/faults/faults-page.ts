import {
  clockFaults,
  fullDisk,
  issuerFaults,
  keyAges,
  parts,
  queueFaults,
  storeFaults,
  threadFaults,
} from "./fault-tables.ts";
import {
  type Cells,
  type EndpointName,
  endpointNames,
  ingestOutcomes,
  type OutcomeName,
  outcomes,
} from "./outcomes.ts";

const HEAD = `# Faults

For operators and integrators: what callers and operators see while something that the service stands on is broken, how it ends, and how to try
it; and what becomes of [messages](#records-by-messages) meanwhile. \`npm run write -- faults\` writes this page from the tables that \`test/integration/faults/\` goes through, so every cell is tried.

The tests run the deployed bundles behind the local gateway, in front of a strict store and a token issuer, each behind a proxy that breaks what
passes through it. The functions of endpoints have a time limit of five seconds.

- **In time.** Every endpoint answers at the latest a tenth of a second before its function's time limit, whatever it waits for
  ([decision 25](decisions/0025-deadlines-and-broken-answers.md)).
- **No false answer.** A read that failed is never a 404, an empty list or an old record. What an answer of the store does not prove is not
  taken from it.
- **By itself.** When the fault ends, the next request is answered as ever, unless the tables say later. Nothing has to be restarted, except
  \`npm start\` after a full disk.
- **Nothing is lost.** All endpoints read. A charge of a limit that was cut off may remain. Imports say which lines were written
  ([operations.md](operations.md)).
- **Told.** An answer of a function with a 5xx has an \`error_id\`, which is in one line of the log with the fault. No line has a credential, or
  anything of what came in place of an answer.
- **At the usual work.** The tests count what a function does: files it reads, texts it parses, calls and lines. A fault makes it repeat its calls, tell
  of them, and read its source map once.
`;

/** What an outcome means, for both sides. */
const MEANINGS: Readonly<Record<OutcomeName, { readonly caller: string; readonly operator: string }>> = {
  served: { caller: "the usual answer", operator: "nothing" },
  uncounted: {
    caller: "the usual answer; for the limit, this environment's own count",
    operator: "a line `WARN` with `RateLimitOutage`; [Limiter](runbook.md#limiter) rings",
  },
  keptKeys: {
    caller: "the usual answer, perhaps two seconds late, once in half a minute",
    operator: "a line `WARN` with `KeySetRefreshFailed`; [Issuer](runbook.md#issuer) rings",
  },
  later: {
    caller: "`503 temporarily_unavailable`, `retry_after_ms` 1000",
    operator: "a line `ERROR` with `Failures` and the fault; [Failures](runbook.md#failures) rings",
  },
  keyless: {
    caller: "`503 temporarily_unavailable`, `retry_after_ms` 5000",
    operator:
      "a line `ERROR` with `Failures`, and one with `KeySetRefreshFailed`; [Failures](runbook.md#failures) and [Issuer](runbook.md#issuer) ring",
  },
  refused: {
    caller: "`401 invalid_credentials`",
    operator: "a line `INFO` with the reason; [Unauthorized](runbook.md#unauthorized) rings if it is unusual",
  },
  early: {
    caller: "`409 timestamp_in_future`, whose `timestamp` is the functions' time",
    operator: "a line `INFO` with the code",
  },
  broken: {
    caller: "`500 internal_error`",
    operator: "a line `ERROR` with `Failures` and the fault; [Failures](runbook.md#failures) rings",
  },
  crashed: {
    caller: 'API Gateway\'s own 500: `{"message":"Internal Server Error"}`, no `error_id`',
    operator: "no line of ours; [Crash](runbook.md#crash) and [Gateway](runbook.md#gateway) ring",
  },
};

const STORE = `DynamoDB, and the network to it. A call is tried three times, for 0.6 seconds each, and the charge of a limit once, for a quarter of a second.
A limit that cannot be charged refuses nobody: each environment counts for itself meanwhile. The exception is the throttled item of one owner's
limit, which that owner alone can overload ([decision 17](decisions/0017-rate-limits.md)). Tables have on-demand capacity, so
\`ProvisionedThroughputExceeded\` does not occur.`;

const PARTS = `An empty cell was not tried. With every table at fault, functions remember no credentials, switches and markets, as after a pause; otherwise they
do so for five seconds. Wrong credentials get the answers of *only credentials* too, because nothing tells them from right ones. The 503 of a
throttled item lasts for a second, in which the item is not written.`;

const ISSUER = `The issuer of access tokens, and the network to it. Its keys are fetched every ten minutes, within two seconds, and serve for a day
([decision 6](decisions/0006-tokens-and-kept-key-sets.md)). A fetch that failed is repeated after half a minute, or after five seconds where there
are no keys. The other two endpoints do not ask it.`;

const AGES = `There are no keys in a stage that has just been deployed, or when the issuer has been down for a day; the 503 ends five seconds after the fault.
The older keys are those that the function has in memory, and those that \`report-expiry\` keeps for all functions. With younger ones the issuer is
not asked.`;

const ROTATION = `**Rotation.** A token that is signed by a key which the issuer publishes is accepted at once. It gets a 401 only if the keys were fetched less than
half a minute before, so an issuer should publish a key before it signs with it. Tokens of a key that is no longer published get a 401 after ten
minutes at most.`;

const CLOCKS = `On AWS the functions' clock is right, so a wrong one is the caller's: an hour behind where the table says that functions are ahead. Keys, limits
and memories that were stamped by the wrong clock lock nobody out once it is right.`;

const MACHINES = `A function's thread under \`npm start\` is a process on Lambda. When it ends, its own request fails and no other.`;

const ELSEWHERE = `What only a real process shows:

| fault | what holds | test |
| --- | --- | --- |
| all threads of \`ingest-records\` are killed among more than a thousand messages, three times | every good record is there once, every bad one is rejected | \`test/integration/queue/many-messages.test.ts\` |
| the process of the store is killed between two writes of one record | the next start repairs its indexes: no list has a record that is not there | \`test/integration/engine-repair.test.ts\` |
| an import is killed, or \`npm start\` under an import (\`kill -9\`) | every record that was reported is there; the same import again writes the rest | \`test/integration/kill-import.test.ts\` |
| a first start is killed | the next one works | \`test/integration/kill-import.test.ts\` |
| \`npm start\` is killed | the next start works | \`test/integration/start.test.ts\` |
| a function exits, throws, hangs or never leaves a loop | the gateway's own 500, and the next request is served | \`test/integration/gateway.test.ts\` |
| the store of \`npm start\` cannot write any more | waiting callers are told, \`npm start\` ends and says what to do | \`test/unit/local/store/store-server.test.ts\` |
| the function has little time left, whatever it waits for | a 503, and nothing is asked after it | \`test/integration/deadline.test.ts\` |
| what each alarm is for | the alarm rings | \`test/integration/alarms-ring.test.ts\` |

A thread that runs out of memory inside of V8's own code, such as its JSON parser, ends \`npm start\` with it, because threads share a process. With
the default memory, no answer of the 8 MiB that functions read at most can do so.`;

const TRY = `With a running \`npm start\`; [sandbox.md](sandbox.md#faults) has all of it:

| to see | command |
| --- | --- |
| 503 in 1 s | \`npm run ops -- demo fault get-pass 503\` |
| 500 | \`npm run ops -- demo fault get-pass 500\` |
| gateway's 500 | \`npm run ops -- demo fault get-pass gateway-500\` |
| an answer that is late, cut off or missing | \`npm run ops -- demo fault get-pass slow\`, or \`cut\`, \`reset\`, \`timeout\` |
| what a request met | \`npm run ops -- explain ID\`, with the \`error_id\` |
| throttled partitions, lost answers, lag | \`npm start -- --partition-limits --lose-answers 0.1 --index-lag 1000\` |
| all of this page | \`npx vitest run test/integration/faults\` |

What a client should do about each answer is in [errors.md](errors.md#repeat). \`npm run ops -- check-client\` plays these answers to any client
([check-client.md](check-client.md)). \`test/end-to-end/client-under-faults.test.ts\` does so to [our own](../client/README.md), which reads 60 days of
trades while one request in twenty fails, each trade once.`;

/** The text of `docs/faults.md`. */
export const faultsPage = (): string =>
  `${[
    HEAD.trimEnd(),
    `## Words of the tables\n\n${meanings()}`,
    `## The store\n\n${STORE}`,
    PARTS,
    answersTable("the store", parts, storeFaults),
    `## The token issuer\n\n${ISSUER}`,
    AGES,
    answersTable("the issuer", ageTitles, issuerFaults),
    ROTATION,
    `## Clocks\n\n${CLOCKS}\n\n${oneAnswerTable("the clock of functions", clockFaults)}`,
    `## Memory, processes and disks\n\n${MACHINES}`,
    oneAnswerTable("fault", [
      ...threadFaults.map((fault) => ({
        ...fault,
        what: `a function ${fault.what} in the middle of a request`,
      })),
      { ...fullDisk, what: `the store of \`npm start\` ${fullDisk.what}` },
    ]),
    ELSEWHERE,
    messagesSection(),
    `## Try it\n\n${TRY}`,
  ].join("\n\n")}\n`;

const ageTitles = Object.fromEntries(Object.entries(keyAges).map(([age, { what }]) => [age, what]));

const meanings = (): string =>
  pageTable(
    ["cell", "the caller gets", "operators get"],
    Object.entries(MEANINGS).map(([name, { caller, operator }]) => [
      outcomes[name as OutcomeName].cell,
      caller,
      operator,
    ]),
  );

interface Line {
  readonly what: string;
  readonly answers: Readonly<Partial<Record<string, Cells>>>;
}

/** A row for all faults with the same answers, and a column for each place or time in which they are tried. */
const answersTable = (
  subject: string,
  columns: Readonly<Record<string, string>>,
  lines: readonly Line[],
): string =>
  groupedTable(
    [subject, ...Object.values(columns)],
    lines.map(({ what, answers }) => [
      what,
      ...Object.keys(columns).map((column) => answersText(answers[column])),
    ]),
  );

const oneAnswerTable = (subject: string, lines: readonly { what: string; answers: Cells }[]): string =>
  answersTable(
    subject,
    { all: "answers" },
    lines.map(({ what, answers }) => ({ what, answers: { all: answers } })),
  );

/** What most endpoints answer, and then those that answer otherwise. */
function answersText(answers: Cells | undefined): string {
  if (answers === undefined) return "";
  const byCell = Map.groupBy(endpointNames, (name: EndpointName) => outcomes[answers[name]].cell);
  const [[most] = [""], ...others] = [...byCell].toSorted(([, a], [, b]) => b.length - a.length);
  return [
    most,
    ...others.map(([cell, names]) => `${cell} for ${names.map((name) => `\`${name}\``).join(", ")}`),
  ].join("; ");
}

const MESSAGES = `\`ingest-records\` answers nobody: what becomes of a message is seen in the queues ([operations.md](operations.md#take-in-records-by-messages)). Each
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
const messagesSection = (): string =>
  [`## Records by messages\n\n${MESSAGES}`, ON_THE_WAY, connectionTable(), TAKEN, otherTable()].join("\n\n");

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

/** A table in Markdown. */
const pageTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A table in which rows that differ in their first cell alone are one. */
function groupedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const groups = Map.groupBy(rows, (row) => row.slice(1).join("|"));
  return pageTable(
    head,
    [...groups.values()].map((same) => [
      same.map(([first]) => first).join("; "),
      ...(same[0]?.slice(1) ?? []),
    ]),
  );
}
