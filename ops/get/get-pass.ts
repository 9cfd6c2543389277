import { type Command, Option } from "commander";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { optionOf } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { parseReference } from "../wallet/wallet-options.ts";
import { connect } from "./connection.ts";
import { addConnectionOptions, type ConnectionOptions, credentialsHelp } from "./connection-options.ts";
import {
  addRecordOption,
  askForRecord,
  printRecord,
  type RecordOptions,
  refusalText,
} from "./print-record.ts";

const HELP = `
Prints the pass as a wallet service gets it: over several lines on a terminal, elsewhere the bytes that were sent. Its tag
is told on standard error; with --if-none-match TAG, a pass that has not changed is not printed.
${credentialsHelp("COUNTINGHOUSE_PASSES_TOKEN")}
For servers that ask for a client certificate, use \`poll --times 1\`.

Examples:
  ${commands.quietOps} get pass loyalty-88015
  ${commands.quietOps} get pass demo-1 --url https://partner.example --jws-key key.json --if-none-match '"abc"'

Exit codes: 0 printed or unchanged, 1 there is no such pass, or no longer, 2 it could not be asked for.`;

interface Options extends ConnectionOptions, RecordOptions {
  readonly ifNoneMatch?: string;
}

/** A tag has quotes, which a shell may have taken away. */
function parseTag(text: string): string {
  if (/^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(text)) return text;
  if (/^[\x21\x23-\x7e]+$/.test(text)) return `"${text}"`;
  throw new RangeError("A tag is visible ASCII characters in quotes.");
}

const get = (reference: string, options: Options): Promise<void> =>
  askForRecord(async () => {
    const { client, recorder } = await connect("passes", options);
    const answer = await client.passes.get(reference, { ifNoneMatch: options.ifNoneMatch });
    if (answer.status === 200) printRecord(answer.text, options);
    if (answer.status === 200 || answer.status === 304)
      console.error(
        `${answer.status === 304 ? "Unchanged. " : ""}Tag: ${terminalText(answer.tag ?? "none")}`,
      );
    else {
      console.error(refusalText(answer.status, await recorder.body));
      process.exitCode = exitCodes.someRefused;
    }
  });

/** `get pass`: prints a pass as the wallet service gets it. */
export function getPass(group: Command): void {
  const command = group
    .command("pass")
    .description("print a pass as the wallet service gets it")
    .argument("<reference>", "the pass's partner reference", optionOf(parseReference))
    .addOption(
      new Option("--if-none-match <tag>", "the tag of a pass that is known already").argParser(
        optionOf(parseTag),
      ),
    );
  addRecordOption(addConnectionOptions(command, "passes")).addHelpText("after", HELP).action(get);
}
