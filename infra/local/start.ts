import { announcement } from "./announcement.ts";
import { startService } from "./local-service.ts";
import { readOptions } from "./options.ts";
import { StartError } from "./start-error.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** npm passes a Ctrl-C on that the terminal has sent us already: two signals so close are one wish. */
const SAME_WISH_MS = 300;

/** Resolves at the first wish to stop; the second ends the process as it stands. */
function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const stop = (): void => {
      firstAtMs ??= performance.now();
      if (performance.now() - firstAtMs > SAME_WISH_MS) process.exit(1);
      resolve();
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
  });
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const stopping = stopRequested();
  const service = await startService(options, {
    progress: print,
    log: (functionName, line) => print(`[${functionName}] ${line}`),
  });
  print(announcement(service.demo, options));
  await stopping;
  print("Finishing the requests in flight …");
  await service.close();
}

try {
  await run();
  process.exit(0);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
