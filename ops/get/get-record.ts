import type { ErrorBody, WaitOptions } from "../../client/src/index.ts";
import { isMembers, parsedJson } from "../../lib/json-value.ts";
import { normaliseOrderId } from "../../lib/sell-orders/order-id.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { defineCommand, type Result } from "../command.ts";
import { callersPath } from "../store/store-options.ts";
import { RawJson, rawJson } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { parseReference, requireServer } from "../wallet/wallet-options.ts";
import { connect, connectionTakes, credentialsHelp } from "./connection.ts";
import { explained, isMissing } from "./failures.ts";
import { type End, FOLLOW_HELP, followChanges, followTakes, isFollowed, tell } from "./follow.ts";
import { followedOrders, followedPass } from "./followed.ts";
import { prettyJson } from "./json-text.ts";

/** With `--json`, the bytes that the service sent, also on a terminal. */
const json = { shape: rawJson };

/**
 * A record as a result: on a terminal over several lines, with the characters escaped that a terminal acts on; elsewhere
 * the bytes that the service sent, and nothing else.
 */
function printed(body: string, isJson: boolean): Result<RawJson> {
  if (isJson) return { json: new RawJson(body) };
  if (process.stdout.isTTY) return { text: prettyJson(body).split("\n").map(terminalText) };
  process.stdout.write(body);
  return {};
}

/** An answer without a record, in words: `410 gone: The pass is gone for good. (error_id …)`. */
function refusalText(status: number, body: string): string {
  const read = parsedJson(body);
  if (!isMembers(read)) return `${status}: an answer that is not the service's.`;
  const { code, message, error_id: errorId } = read as Partial<ErrorBody>;
  return terminalText(`${status} ${code}: ${message} (error_id ${errorId})`);
}

/**
 * Asks for one record. A record that is not there is told on standard error, and ends the command with its exit code.
 *
 * @throws {OperatorError} for any other failure.
 */
async function askForRecord(ask: () => Promise<Result<RawJson>>): Promise<Result<RawJson>> {
  try {
    return await ask();
  } catch (error) {
    if (!isMissing(error)) throw explained(error);
    return { remark: terminalText(error.message), exitCode: exitCodes.someRefused };
  }
}

/** The end of a follow in words: which of the ids are not there, or that there was nothing to wait for. */
function resultOf(end: End | undefined, ids: readonly string[], before: string): Result<RawJson> {
  if (end === undefined) return {};
  const missing = ids.filter((id) => !end.known.has(id));
  if (missing.length === 0) return end.isOld ? { remark: before } : {};
  return { remark: terminalText(`Not there: ${missing.join(" ")}`), exitCode: exitCodes.someRefused };
}

/** `get transaction`: prints one transaction. */
export const getTransaction = defineCommand({
  words: "get transaction",
  summary: "print a transaction of a business",
  about: `
Prints the transaction: over several lines on a terminal, elsewhere the bytes that the service sent.
${credentialsHelp("COUNTINGHOUSE_BUSINESS_TOKEN")}`,
  examples: ["ops get transaction tx-0001 | jq .legs"],
  exits: { 0: "printed", 1: "there is no such transaction", 2: "it could not be asked for" },
  on: "nothing",
  takes: { "<id>": "the transaction's ID", ...connectionTakes.business },
  json,
  run: ({ id, ...given }) =>
    askForRecord(async () => {
      const { client, recorder } = await connect("business", given);
      await client.business.transaction(id);
      return printed(await recorder.body, given.json);
    }),
});

/** `get sell-order`: prints one sell order, or follows several. */
export const getSellOrder = defineCommand({
  words: "get sell-order",
  summary: "print a sell order of a ramp partner, or follow several",
  about: `
Prints the sell order: over several lines on a terminal, elsewhere the bytes that the service sent. With --wait, the order
is looked at until it is COMPLETED or FAILED, and each change is told on standard error; a new order may be missing for
ten minutes.

With --follow, each order is printed as a line, and again when it has changed, until all are COMPLETED: it is looked at
once a minute while it awaits its deposit, once a day after it has failed, and else every five seconds. With --ids-file,
ids that are added to the file meanwhile are followed as well, without an end.
${FOLLOW_HELP}
${credentialsHelp("COUNTINGHOUSE_RAMP_API_KEY")}`,
  examples: [
    "ops get sell-order 01kdvdna00vzkwfkrqvamzw1gz --wait",
    "ops get sell-order --follow --ids-file orders.txt --resume changes.json >> changes.ndjson",
  ],
  exits: { 0: "printed", 1: "there is no such order", 2: "it could not be asked for" },
  on: "nothing",
  takes: {
    "[id...]": "the order's ID, as the partner gave it; several with --follow",
    "--wait": "wait until the order is final",
    "--ids-file <file>": { text: "with --follow: a file of ids, one a line", parse: callersPath },
    ...followTakes,
    ...connectionTakes.ramp,
  },
  stops: "Stopped.",
  json,
  async run({ id: named, wait, idsFile, ...given }, context) {
    const ids = named.map((id) => normaliseOrderId(id) ?? id);
    if (isFollowed(given, { wait }, { idsFile })) {
      if (ids.length === 0 && idsFile === undefined)
        throw new OperatorError("Give the IDs of orders, or a file of them with --ids-file.");
      const end = await followChanges(given, followedOrders(ids, idsFile), context);
      return resultOf(end, ids, "Nothing new: all were COMPLETED already.");
    }
    const [id] = ids;
    if (id === undefined || ids.length > 1) throw new OperatorError("Give the ID of one order.");
    return await context.stoppable((signal) =>
      askForRecord(async () => {
        const { client, recorder } = await connect("ramp", given);
        const onChange: WaitOptions["onChange"] = ({ status, updated_at: instant }) =>
          tell(`${instant} ${status}`);
        if (wait) await client.ramp.waitUntilFinal(id, { signal, onChange });
        else await client.ramp.sellOrder(id, { signal });
        return printed(await recorder.body, given.json);
      }),
    );
  },
});

/** A tag has quotes, which a shell may have taken away. */
function parseTag(text: string): string {
  if (/^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(text)) return text;
  if (/^[\x21\x23-\x7e]+$/.test(text)) return `"${text}"`;
  throw new RangeError("A tag is visible ASCII characters in quotes.");
}

/** `get pass`: prints a pass as the wallet service gets it, or follows it as that polls it. */
export const getPass = defineCommand({
  words: "get pass",
  summary: "print a pass as the wallet service gets it, or follow it",
  about: `
Prints the pass as a wallet service gets it: over several lines on a terminal, elsewhere the bytes that were sent. Its tag
is told on standard error; with --if-none-match TAG, a pass that has not changed is not printed.

With --follow, the pass is polled as the wallet service does it: each poll sends the tag of the last answer, waits as long
as Retry-After asks, but a day at most, and goes on until a 404 or 410. The pass is printed as a line, and again when it
has changed. Standard error has each answer, and the values that a customer would see change.
${FOLLOW_HELP}
${credentialsHelp("COUNTINGHOUSE_PASSES_TOKEN")}`,
  examples: [
    "ops get pass loyalty-88015",
    "ops get pass demo-1 --url https://partner.example --jws-key key.json --if-none-match '\"abc\"'",
    "ops get pass demo-1 --url https://partner.example --token-file token.txt --follow --every 5",
  ],
  exits: {
    0: "printed or unchanged, or followed until it was gone",
    1: "there is no such pass, or no longer",
    2: "it could not be asked for",
  },
  on: "nothing",
  takes: {
    "<reference>": { text: "the pass's partner reference", parse: parseReference },
    "--if-none-match <tag>": { text: "the tag of a pass that is known already", parse: parseTag },
    ...followTakes,
    ...connectionTakes.passes,
  },
  stops: "",
  json,
  async run({ reference, ifNoneMatch, ...given }, context) {
    const { url } = given;
    if (url !== undefined) requireServer({ url, reference });
    if (isFollowed(given, { ifNoneMatch })) {
      const end = await followChanges(given, followedPass(reference), context);
      return resultOf(end, [reference], "Nothing new: the pass was gone already.");
    }
    return await askForRecord(async () => {
      const { client, recorder } = await connect("passes", given);
      const answer = await client.passes.get(reference, { ifNoneMatch });
      const { status } = answer;
      if (status !== 200 && status !== 304)
        return { remark: refusalText(status, await recorder.body), exitCode: exitCodes.someRefused };
      const told = `Tag: ${terminalText(answer.tag ?? "none")}`;
      if (status === 304) return { remark: `Unchanged. ${told}` };
      return { ...printed(answer.text, given.json), remark: told };
    });
  },
});
