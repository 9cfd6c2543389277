import { announcement } from "./announcement.ts";
import { startService } from "./local-service.ts";
import { isNpmStart, readOptions } from "./options.ts";
import { StartError } from "./start-error.ts";

/** npm passes a Ctrl-C on that the terminal has sent us already: two signals so close are one wish. */
const SAME_WISH_MS = 300;
const PARENT_CHECK_MS = 300;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Resolves at the first wish to stop; a second one ends the process as it stands. */
function stopRequested(): Promise<undefined> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const stop = (): void => {
      firstAtMs ??= performance.now();
      if (performance.now() - firstAtMs > SAME_WISH_MS) process.exit(1);
      resolve(undefined);
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
    if (isNpmStart()) onParentGone(() => resolve(undefined));
  });
}

/** npm hands a signal to the shell between us, which dies of it and tells nobody. */
function onParentGone(resolve: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    resolve();
  }, PARENT_CHECK_MS);
  timer.unref();
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const stopping = stopRequested();
  const log = (name: string, line: string): void => print(`[${name}] ${line}`);
  const reporter = { progress: print, log, broken: conclude };
  const service = await Promise.race([startService(options, reporter), stopping]);
  // Nothing has been promised to anybody yet, and the store survives a process that just ends.
  if (service === undefined) return;
  print(announcement(service, options));
  await stopping;
  print("Finishing the requests in flight …");
  await service.close();
}

// Whoever reads our lines may go before us, as a terminal that is closed does.
process.stdout.on("error", () => {});

function conclude(error: unknown): never {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

try {
  await run();
  process.exit(0);
} catch (error) {
  conclude(error);
}
