import type * as z from "zod/mini";
import type { Change, ChangeReport } from "./audit/record-change.ts";
import type { OperatorQueues, QueueOptions } from "./queue/queue-client.ts";
import type { StoreNeed } from "./store/local-store.ts";
import type { OperatorStore } from "./store/operator-store.ts";
import type { StoreOptions } from "./store/store-options.ts";
import type { Given } from "./terminal/json-output.ts";
import type { Table } from "./terminal/write-table.ts";

/*
 * A command is data and one function. To add one, export it from a file in the folder of what it works on, and name the
 * file in `program.ts`:
 *
 *   export const showNote = defineCommand({
 *     words: "notes show",
 *     summary: "show a note of a business",
 *     about: "Prints the note as it was stored, with the instant of its last change.",
 *     examples: ["ops notes show acme --since 7d"],
 *     exits: { 0: "shown", 1: "there is no such note", 2: "not shown" },
 *     on: "store",
 *     takes: {
 *       "<business>": { text: "the business", parse: parseOwnerId },
 *       "--since <time>": { text: "not if it is older", parse: parseSince, default: "30d" },
 *       "--whole": "print the earlier versions too",
 *     },
 *     json: { shape: z.object({ note: z.string() }), example: { note: "…" } },
 *     run: async ({ business, since, whole }, { store }) => {
 *       const note = await new NoteRegister((await store()).table("Notes")).read(business, since, whole);
 *       if (note === undefined) return { remark: `There is no note of ${business}.`, exitCode: 1 };
 *       return { json: { note }, text: note };
 *     },
 *   });
 *
 * `run` has everything that was given, by the names that follow from the flags and with the types of their parsers, and
 * returns what is to be told. It prints nothing itself, except where something must be seen before the work goes on.
 * The runner (`run-command.ts`) does what commands have in common: `--json`, `--dry-run`, `--yes`, the options of the
 * place, the store and its faults, the audit, Ctrl-C, and exit codes. A command that changes something returns the line
 * of the audit with its result, or wraps long work in `audited`.
 *
 * A new command also needs a line in `test/support/every-command.ts`, by which tests try out what holds of every command;
 * `npm run write -- reference` writes its part of `docs/commands.md`.
 */

/** One argument or option of a command. A text alone says what it is for. */
export type Take =
  | string
  | {
      readonly text: string;
      /** Throws a RangeError whose message says what would be right. `before` is the value of the option's last use. */
      readonly parse?: (text: string, before?: never) => unknown;
      readonly choices?: readonly string[];
      /** What counts when it is not given, as an operator would write it; it is parsed as well. */
      readonly default?: string;
      /** How help names the default. */
      readonly defaultText?: string;
      readonly required?: true;
      /** The environment variable that counts when it is not given. */
      readonly env?: string;
      /** The name of an option that cannot stand beside it. */
      readonly conflicts?: string;
      /** The values that it gives to other options. */
      readonly implies?: Readonly<Record<string, unknown>>;
      readonly isHidden?: true;
      /** Whether messages must not repeat what was given: it may be a key that was pasted by mistake. */
      readonly isUnquoted?: true;
    };

/**
 * The arguments and the options of a command, by their flags: `<id>`, `[state...]`, `--dry-run`, `--owner <id>`,
 * `--no-scope`, `-H, --header <line>`.
 */
export type Takes = Readonly<Record<string, Take>>;

/** Keeps the literal types of what several commands take, so that each can spread it into its own `takes`. */
export const takes = <const Some extends Takes>(some: Some): Some => some;

type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;

/** The long name of an option: `header` of `-H, --header <line>`, and `no-scope` of `--no-scope`. */
type LongOf<Flags extends string> = Flags extends `${string}--${infer Long}`
  ? Long extends `${infer Name} ${string}`
    ? Name
    : Long
  : never;

/** The name under which `run` is given a value. */
type NameOf<Flags extends string> = Flags extends `<${infer Name}>`
  ? Camel<Name>
  : Flags extends `[${infer Name}...]` | `[${infer Name}]`
    ? Camel<Name>
    : LongOf<Flags> extends `no-${infer Name}`
      ? Camel<Name>
      : Camel<LongOf<Flags>>;

/** The type of a value that has neither a parser nor choices. An optional value that is left out is `true`. */
type TextOf<Flags extends string> = Flags extends `--no-${string} <${string}`
  ? string | true
  : Flags extends `--no-${string}`
    ? false
    : Flags extends `[${string}...]` | `--${string} <${string}...>`
      ? readonly string[]
      : Flags extends `--${string} [${string}`
        ? string | true
        : Flags extends `${string}<${string}` | `[${string}`
          ? string
          : boolean;

type ValueOf<Flags extends string, One> = One extends { readonly parse: (...given: never[]) => infer Value }
  ? Value
  : One extends { readonly choices: readonly (infer Choice)[] }
    ? Flags extends `${string}...${string}`
      ? readonly Choice[]
      : Choice
    : TextOf<Flags>;

/**
 * The flags if `run` is always given a value for them, and otherwise never. Always given are a required argument or
 * option, a list of arguments, a switch, and whatever has a default.
 */
type Present<Flags extends string, One> = One extends
  | { readonly default: string }
  | { readonly required: true }
  ? Flags
  : Flags extends `<${string}` | `[${string}...]` | `--no-${string} <${string}`
    ? Flags
    : Flags extends `--no-${string}` | `${string}<${string}` | `${string}[${string}`
      ? never
      : Flags;

/** What `run` is given of `takes`. */
export type GivenOf<Some extends Takes> = {
  readonly [Flags in keyof Some & string as NameOf<Present<Flags, Some[Flags]>>]: ValueOf<Flags, Some[Flags]>;
} & {
  readonly [Flags in keyof Some & string as NameOf<Exclude<Flags, Present<Flags, Some[Flags]>>>]?: ValueOf<
    Flags,
    Some[Flags]
  >;
};

/** All that a command may work on, each with the options that say where it is. */
interface Places {
  /** A store that is there; a missing local one is refused. */
  readonly store: StoreOptions;
  /** The same, but a missing local store is made. A dry run looks at an empty one instead. */
  readonly "store, made if missing": StoreOptions;
  /** The queues of records, and a store that is there. */
  readonly queues: QueueOptions;
  /** An `npm start` that runs on a data directory. A stage is refused. */
  readonly "running service": { readonly data: string };
  /** The same, or a deployed stage. */
  readonly "running service or stage": { readonly data: string; readonly stage?: string };
  readonly nothing: object;
}

export type Place = keyof Places;

/** Given to the `run` of every command. */
interface Always {
  readonly json: boolean;
  /** False for a command that has no dry run. */
  readonly dryRun: boolean;
}

/** What is to be told at the end of a command. */
export interface Result<Json> {
  /** What `--json` prints. */
  readonly json?: Json;
  /** What people are shown instead: a text, a table, or several. */
  readonly text?: Shown | readonly Shown[] | undefined;
  /** A line for people that goes to standard error, with `--json` too. */
  readonly remark?: string | undefined;
  /** The line of the audit, for a change that was made; a dry run writes none. */
  readonly audit?: CommandChange | undefined;
  /** 0 when not given, or 130 after Ctrl-C. */
  readonly exitCode?: number;
}

export type Shown = string | Table;

/** A change, as the audit tells of it. The command's own words, and its `--reason`, need not be given. */
export type CommandChange = Omit<Change, "command"> & Partial<Pick<Change, "command">>;

/** The runner's help for `run`. */
export interface Context<Json> {
  /**
   * The store, which is opened at the first call, and closed at the end: check before it what needs no store. It is
   * opened as the command's `on` says, unless a need is given.
   */
  readonly store: (need?: StoreNeed) => Promise<OperatorStore>;
  /** The queues. @throws {OperatorError} where there are none. */
  readonly queues: () => Promise<OperatorQueues>;
  /** The queues; undefined where there are none. */
  readonly queuesIfAny: () => Promise<OperatorQueues | undefined>;
  /**
   * Asks whether to go on, for a command that `asks`. With `--yes`, and in a dry run, it does not ask. After a no, the
   * command ends with 1 and "Nothing was changed.", or fails with `refusal`.
   */
  readonly confirm: (question: string, refusal?: Error) => Promise<void>;
  /** The same for what cannot be taken back: the word has to be typed. */
  readonly confirmBy: (word: string, question: string) => Promise<void>;
  /** Writes the audit's line of a change at once. */
  readonly record: (change: CommandChange) => Promise<void>;
  /**
   * Makes a change that takes long or cannot be taken back, and writes two lines of the audit: before and after. After
   * Ctrl-C the second is "stopped". In a dry run it only does the work.
   */
  readonly audited: <Done>(
    change: CommandChange,
    work: () => Promise<Done>,
    reportOf?: (done: Done) => ChangeReport,
  ) => Promise<Done>;
  /** Does work that ends in good order when Ctrl-C aborts the signal. Undefined where the abort made it throw. */
  readonly stoppable: <Done>(work: (stop: AbortSignal) => Promise<Done>) => Promise<Done | undefined>;
  /** Whether Ctrl-C was pressed during {@link stoppable} work. */
  readonly isStopped: () => boolean;
  /** Shows how far the work is, in place of what was shown before. */
  readonly progress: (text: string) => void;
  /** Prints at once: a line of JSON with `--json`, and otherwise the text. */
  readonly print: (json: Json | undefined, text?: Shown | readonly Shown[]) => void;
  /** The line that {@link print} would print. */
  readonly line: (json: Json, text: string) => string;
}

/** The output of a command for programs. */
interface JsonOf<Shape extends z.ZodMiniType> {
  readonly shape: Shape;
  /** A value of the shape, for documents. */
  readonly example?: Given<z.input<NoInfer<Shape>>>;
  /** Whether each line is such a text, printed as it comes to be known (NDJSON). */
  readonly lines?: true;
}

/** Everything about a command. */
export interface Definition<
  Some extends Takes = Takes,
  On extends Place = Place,
  Shape extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Its words on the command line: `passes show`. */
  readonly words: string;
  /** What it does, as one clause. */
  readonly summary: string;
  /** Whatever an operator has to know, in paragraphs. */
  readonly about?: string;
  /** Command lines in which `ops` stands for how people call the program. */
  readonly examples: readonly string[];
  /** The meaning of its exit codes. The text "listed" stands for 0 listed, 2 not listed. */
  readonly exits: string | Readonly<Record<0 | 1 | 2, string>> | Readonly<Record<0 | 2, string>>;
  readonly on: On;
  readonly takes?: Some;
  /** Whether an argument may begin with a hyphen. What looks like an option that there is not is then an argument. */
  readonly takesHyphens?: true;
  /** What `--dry-run` does; absent for a command that has none. */
  readonly dryRun?: string;
  /** Whether it asks before it changes something, so that it has `--yes`. */
  readonly asks?: true;
  /** What is said at once after Ctrl-C; an empty text for nothing. Absent for a command that Ctrl-C simply ends. */
  readonly stops?: string;
  /** What `--json` prints, or a sentence that says why there is none. */
  readonly json: JsonOf<Shape> | string;
  readonly run: (
    given: GivenOf<NoInfer<Some>> & Places[NoInfer<On>] & Always,
    context: Context<Given<z.input<NoInfer<Shape>>>>,
  ) => Told<NoInfer<Shape>> | Promise<Told<NoInfer<Shape>>>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: what a function without a return statement returns.
type Told<Shape extends z.ZodMiniType> = Result<Given<z.input<Shape>>> | void;

/** Marks a definition, by its place among all. Registered, because tests load this file more than once. */
const PLACE = Symbol.for("countinghouse.command");

let places = 0;

/** Defines a command, and infers what its `run` is given. */
export function defineCommand<
  const Some extends Takes,
  const On extends Place,
  Shape extends z.ZodMiniType = z.ZodMiniType,
>(definition: Definition<Some, On, Shape>): Definition {
  places += 1;
  return { ...definition, [PLACE]: places } as unknown as Definition;
}

const placeOf = (exported: unknown): number => Reflect.get(Object(exported), PLACE) ?? 0;

/** The commands that a file exports, in the order in which it defines them: a module sorts its exports by name. */
export const commandsIn = (file: object): Definition[] =>
  (Object.values(file) as Definition[])
    .filter((one) => placeOf(one) > 0)
    .toSorted((one, other) => placeOf(one) - placeOf(other));
