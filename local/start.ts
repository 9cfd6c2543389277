import { announcement } from "./announcement.ts";
import { ENDING_MS } from "./gateway/gateway.ts";
import { startService } from "./local-service.ts";
import { logFormatOf } from "./log/log-format.ts";
import { paintForOutput } from "./log/paint.ts";
import { RequestLog } from "./log/request-log.ts";
import { isNpmStart, readOptions } from "./options.ts";
import { StartError } from "./start-error.ts";
import { listenForStop } from "./stop-signal.ts";

const PARENT_CHECK_MS = 300;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Resolves at a signal to stop, or when npm's shell has ended. */
const stopWanted = (): Promise<void> =>
  new Promise((resolve) => {
    const stopAtOnce = (): never => process.exit(1);
    listenForStop({ process, now: () => performance.now(), onFirst: resolve, onAgain: stopAtOnce });
    if (isNpmStart()) onParentGone(resolve);
  });

/**
 * npm signals only the shell that runs the script. The shell exits without forwarding the signal, so this process
 * watches for its parent to disappear.
 */
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
  const stopping = stopWanted();
  const log = (name: string, line: string): void => print(`[${name}] ${line}`);
  const requests = new RequestLog({ print, log, paint: paintForOutput });
  const isForPeople = logFormatOf(options.log, process.stdout.isTTY) === "lines";
  const reporter = isForPeople ? { log: requests.take, answered: requests.answered } : { log };
  const starting = startService(options, { ...reporter, progress: print, broken: conclude });
  const service = await Promise.race([starting, stopping]);
  // No request was answered yet, and the store survives an abrupt end of the process.
  if (service === undefined) return;
  print(announcement(service, options));
  await stopping;
  const seconds = ENDING_MS.answers / 1_000;
  print(`Finishing the requests in flight, for ${seconds} seconds at most; Ctrl-C again stops at once.`);
  await service.close();
  await requests.flush();
}

// Standard output fails when its terminal is closed before this process has ended.
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
