import { aboutText, announcement } from "./announcement/announcement.ts";
import { readDemoFile } from "./demo/demo-file.ts";
import { ENDING_MS } from "./gateway/gateway.ts";
import { type Service, startService } from "./local-service.ts";
import { RequestLog } from "./log/request-log.ts";
import { defaultDataDir, isNpmStart, logFormatOf, readOptions, type StartOptions } from "./options.ts";
import { collectGarbage } from "./process/collect-garbage.ts";
import { conclude } from "./process/run-program.ts";
import { stopWanted } from "./process/stop-signal.ts";
import { readHolder } from "./store/data-lock.ts";
import { readStartNote } from "./store/start-note.ts";
import { tinted } from "./terminal/tint.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Serves as the arguments say until a signal stops it, and prints what a person has to know. */
export async function serve(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.isAbout) return print(await about(options));
  const stopping = stopWanted(isNpmStart());
  const log = (name: string, line: string): void => print(`[${name}] ${line}`);
  const requests = new RequestLog({ print, log, paint: tinted });
  const isForPeople = logFormatOf(options.log, process.stdout.isTTY) === "lines";
  const reporter = isForPeople ? { log: requests.take, answered: requests.answered } : { log };
  const starting = startService(options, { ...reporter, progress: print, broken: conclude });
  const service = await Promise.race([starting, stopping]);
  // No request was answered yet, and the store survives an abrupt end of the process.
  if (service === undefined) return;
  print(announcementOf(service, options));
  const loaded = service.loaded.then(() => rest(service));
  await Promise.race([stopping, loaded.then(() => stopping)]).catch(async (fault: unknown) => {
    await service.close();
    throw fault;
  });
  const seconds = ENDING_MS.answers / 1_000;
  print(`Finishing the requests in flight, for ${seconds} seconds at most; Ctrl-C again stops at once.`);
  await service.close();
  await requests.flush();
}

/** Gives back what only the start needed, before a program of a day or a week begins. */
async function rest(service: Service): Promise<void> {
  service.rest();
  await collectGarbage();
}

function announcementOf(service: Service, options: StartOptions): string {
  // A start cannot tell which shell of Windows it runs in, because npm runs it in one of its own.
  const shell = process.platform === "win32" ? "powershell" : "sh";
  return announcement(service, options, { shell, defaultDataDir: defaultDataDir() });
}

async function about({ dataDir }: StartOptions): Promise<string> {
  const holder = await readHolder(dataDir);
  const { engineEndpoint } = (await readStartNote(dataDir)) ?? {};
  const demo = await readDemoFile(dataDir);
  return aboutText({ dataDir, demo, isRunning: holder?.kind === "gateway", engineEndpoint });
}
