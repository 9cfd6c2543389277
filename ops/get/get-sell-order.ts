import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { connect } from "./connection.ts";
import { addConnectionOptions, type ConnectionOptions, credentialsHelp } from "./connection-options.ts";
import { addRecordOption, askForRecord, printRecord, type RecordOptions } from "./print-record.ts";

const HELP = `
Prints the sell order: over several lines on a terminal, elsewhere the bytes that the service sent. With --wait, the order
is looked at until it is COMPLETED or FAILED, and each change is told on standard error; a new order may be missing for
ten minutes.
${credentialsHelp("COUNTINGHOUSE_RAMP_API_KEY")}

Example:
  ${commands.quietOps} get sell-order 01kdvdna00vzkwfkrqvamzw1gz --wait

Exit codes: 0 printed, 1 there is no such order, 2 it could not be asked for, 130 stopped by Ctrl-C.`;

interface Options extends ConnectionOptions, RecordOptions {
  readonly wait?: true;
}

async function get(id: string, options: Options): Promise<void> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => console.error("\nStopped."));
  try {
    await askForRecord(async () => {
      const { client, recorder } = await connect("ramp", options);
      const { signal } = stop;
      if (options.wait !== true) await client.ramp.sellOrder(id, { signal });
      else await client.ramp.waitUntilFinal(id, { signal, onChange: tellStatus });
      printRecord(await recorder.body, options);
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.exitCode = exitCodes.interrupted;
  } finally {
    interrupt.forget();
  }
}

const tellStatus = ({
  status,
  updated_at: instant,
}: {
  readonly status: string;
  readonly updated_at: string;
}): void => console.error(terminalText(`${instant} ${status}`));

/** `get sell-order`: prints one sell order. */
export function getSellOrder(group: Command): void {
  const command = group
    .command("sell-order")
    .description("print a sell order of a ramp partner")
    .argument("<id>", "the order's ID, as the partner gave it")
    .option("--wait", "wait until the order is final");
  addRecordOption(addConnectionOptions(command, "ramp")).addHelpText("after", HELP).action(get);
}
