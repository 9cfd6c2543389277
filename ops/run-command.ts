import { systemClock } from "../lib/clock.ts";
import { exitCodes } from "../local/process/operator-error.ts";
import type { CommandChange, Context, Definition, Result, Shown } from "./command.ts";
import type { QueueOptions } from "./queue/queue-client.ts";
import { isEndBy, stopOnInterrupt } from "./stop-on-interrupt.ts";
import type { OperatorStore } from "./store/operator-store.ts";
import { confirmed } from "./terminal/ask.ts";
import { jsonText } from "./terminal/json-output.ts";
import { showProgress } from "./terminal/show-progress.ts";
import { printTable } from "./terminal/write-table.ts";

/** The options that the runner reads itself, of the commands that have them. */
interface Common extends QueueOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly yes?: boolean;
  readonly reason?: string;
}

/** The person who was asked said no. */
class NotWanted extends Error {}

/**
 * Runs a command with what it was given: opens what it asks for, writes the audit's line of its change, prints its
 * result, closes what it opened, and sets the exit code. Files that take long to load are loaded where they are needed.
 */
export async function runCommand(definition: Definition, given: Record<string, unknown>): Promise<void> {
  const session = new Session(definition, given as unknown as Common);
  process.exitCode = await session.run(given);
}

class Session {
  readonly #definition: Definition;
  readonly #given: Common;
  readonly #opened: { readonly close: () => unknown }[] = [];
  #store: OperatorStore | undefined;
  #isStopped = false;

  constructor(definition: Definition, given: Common) {
    this.#definition = definition;
    this.#given = given;
  }

  async run(given: object): Promise<number> {
    try {
      return await this.#closing(async () => {
        const result = (await this.#definition.run(given as never, this.#context)) ?? {};
        const { audit, exitCode = this.#isStopped ? exitCodes.interrupted : exitCodes.done } = result;
        if (audit !== undefined && !this.#given.dryRun) await this.#context.record(audit);
        this.#tell(result);
        return exitCode;
      });
    } catch (error) {
      if (error instanceof NotWanted) {
        console.error("Nothing was changed.");
        return exitCodes.someRefused;
      }
      if (this.#store === undefined) throw error;
      const { explainFault } = await import("./store/store.ts");
      throw explainFault(error, this.#given, this.#store);
    }
  }

  /** Closes all that was opened, also where one cannot be closed. The fault of the work is told before such a one. */
  async #closing<Done>(work: () => Promise<Done>): Promise<Done> {
    const [end] = await Promise.allSettled([work()]);
    const faults: unknown[] = [];
    for (const one of this.#opened.toReversed())
      try {
        await one.close();
      } catch (fault) {
        faults.push(fault);
      }
    if (end.status === "rejected") throw end.reason;
    if (faults.length > 0) throw faults[0];
    return end.value;
  }

  readonly #context: Context<unknown> = {
    store: async (need) => {
      if (this.#store !== undefined) return this.#store;
      const { explainFault, openStore } = await import("./store/store.ts");
      const { on } = this.#definition;
      const ifMissing = this.#given.dryRun ? "something to look at" : "a place to write";
      const toOpen = need ?? (on === "store, made if missing" ? ifMissing : "something to be there");
      this.#store = await openStore(this.#given, toOpen).catch((error: unknown) => {
        throw explainFault(error, this.#given);
      });
      this.#opened.push(this.#store);
      return this.#store;
    },
    queues: async () => {
      const queues = await this.#context.queuesIfAny();
      if (queues !== undefined) return queues;
      const { noQueues } = await import("./queue/queue-faults.ts");
      throw noQueues(this.#given.stage);
    },
    queuesIfAny: async () => {
      const { openQueues } = await import("./queue/queue-client.ts");
      const queues = await openQueues(this.#given);
      if (queues !== undefined) this.#opened.push(queues);
      return queues;
    },
    confirm: async (question, refusal = new NotWanted()) => {
      if (!this.#given.dryRun && !(await confirmed(question, this.#given))) throw refusal;
    },
    confirmBy: async (word, question) => {
      if (!this.#given.dryRun && !(await confirmed(question, this.#given, word))) throw new NotWanted();
    },
    record: async (change) => {
      const { recordChange } = await import("./audit/record-change.ts");
      await recordChange(await this.#context.store(), this.#changeOf(change));
    },
    audited: async (change, work, reportOf) => {
      if (this.#given.dryRun) return await work();
      const { audited } = await import("./audit/record-change.ts");
      return await audited(await this.#context.store(), this.#changeOf(change), work, (done) => ({
        ...(this.#isStopped && { outcome: "stopped" as const }),
        ...reportOf?.(done),
      }));
    },
    stoppable: async (work) => {
      const stop = new AbortController();
      const { stops } = this.#definition;
      const interrupt = stopOnInterrupt(stop, systemClock, () => {
        this.#isStopped = true;
        if (stops) console.error(`\n${stops}`);
      });
      try {
        return await work(stop.signal);
      } catch (error) {
        if (!isEndBy(stop.signal, error)) throw error;
        return undefined;
      } finally {
        showProgress("");
        interrupt.forget();
      }
    },
    isStopped: () => this.#isStopped,
    progress: showProgress,
    print: (json, text) => this.#tell({ json, text }),
    line: (json, text) => (this.#given.json ? this.#jsonLine(json) : text),
  };

  #changeOf(change: CommandChange) {
    const { reason } = this.#given;
    return { command: this.#definition.words, ...(reason !== undefined && { reason }), ...change };
  }

  #jsonLine(json: unknown): string {
    const { json: output } = this.#definition;
    if (typeof output === "string") throw new Error("The command has no JSON.");
    return jsonText(output.shape, json as never);
  }

  #tell({ json, text = [], remark }: Result<unknown>): void {
    if (!this.#given.json) for (const shown of Array.isArray(text) ? text : [text]) show(shown);
    else if (json !== undefined) process.stdout.write(`${this.#jsonLine(json)}\n`);
    if (remark !== undefined) console.error(remark);
  }
}

function show(shown: Shown): void {
  if (typeof shown === "string") console.log(shown);
  else printTable(shown);
}
