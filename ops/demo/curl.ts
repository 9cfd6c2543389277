import * as z from "zod/mini";
import { type DemoFile, readDemoFile } from "../../local/demo/demo-file.ts";
import { curlLines } from "../../local/endpoints/curl-lines.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { readHolder } from "../../local/store/data-lock.ts";
import { curlWriter, SHELLS } from "../../local/terminal/shell.ts";
import { defineCommand } from "../command.ts";
import { callersShell } from "../store/store-options.ts";

async function readDemo(data: string): Promise<DemoFile> {
  const demo = await readDemoFile(data);
  if (demo.exchange !== undefined && demo.passes !== undefined) return demo as DemoFile;
  throw new OperatorError(
    `${data} has no demo credentials. Run \`${commands.start}\` once, or name its directory with --data.`,
  );
}

/** `demo curl`: prints lines to paste. */
export const demoCurl = defineCommand({
  words: "demo curl",
  summary: "print a curl line for each endpoint and credential",
  about: `Prints a curl line for each endpoint, and for each credential that the pass callback takes, with the demo's credentials of
the last \`${commands.start}\` in it. Each line works when it is pasted, from whatever directory. Lines for requests that are signed
make the signature when they are run.`,
  examples: ["ops demo curl", "ops demo curl --shell powershell"],
  exits: { 0: "printed", 2: `\`${commands.start}\` has never run on the data directory` },
  on: "running service",
  takes: {
    "--shell <name>": {
      text: "the shell to paste the lines into",
      choices: SHELLS,
      default: callersShell(),
      defaultText: "that of this terminal",
    },
  },
  json: {
    shape: z.array(z.object({ endpoint: z.string(), credential: z.optional(z.string()), line: z.string() })),
    example: [
      {
        endpoint: "get-transaction",
        line: "curl -sS -H 'Authorization: Bearer …' http://127.0.0.1:3000/transaction/tx-0001",
      },
    ],
  },
  async run({ data, shell }) {
    const json = curlLines(await readDemo(data), curlWriter(shell));
    const isRunning = (await readHolder(data))?.kind === "gateway";
    return {
      json,
      text: json.map(
        ({ endpoint, credential, line }) =>
          `# ${endpoint}${credential === undefined ? "" : `, by ${credential}`}\n${line}\n`,
      ),
      remark: isRunning
        ? undefined
        : `No \`${commands.start}\` runs on ${data} now; the lines work once one does.`,
    };
  },
});
