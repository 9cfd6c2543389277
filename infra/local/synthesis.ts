import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Clock } from "../../lib/clock.ts";
import { hashSources } from "./source-hash.ts";
import { StartError } from "./start-error.ts";

/** Assemblies that are kept for another start: one for each brand or branch that somebody goes back and forth between. */
const KEPT_MAX = 4;

export interface SynthesisOptions {
  readonly projectRoot: string;
  /** Where assemblies are kept; no other program may write there. */
  readonly cacheDirectory: string;
  /** The stage's settings, as its file would hold them. */
  readonly stage: object;
  /** Environment of the CDK app, beside what is set here. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Receives a line for the person who waits. */
  readonly report: (line: string) => void;
}

/** The CDK app refused. The message ends with what it printed. */
export class SynthesisError extends StartError {
  override readonly name = "SynthesisError";
}

/**
 * The cloud assembly of a stage, as a directory. It is synthesized only when sources or settings have changed since it
 * was; then the app runs in a process of its own, and a half-written assembly is never seen.
 */
export async function synthesize(options: SynthesisOptions): Promise<string> {
  const { projectRoot, cacheDirectory, stage, report } = options;
  const settings = JSON.stringify(stage, null, 2);
  const assembly = join(cacheDirectory, await hashSources(projectRoot, settings));
  if (!(await exists(join(assembly, "manifest.json")))) {
    report("Synthesizing the template (once for each change of the sources) …");
    await build(options, settings, assembly);
  }
  await touch(assembly, options.clock);
  await prune(cacheDirectory);
  return assembly;
}

async function build(
  { projectRoot, environment }: SynthesisOptions,
  settings: string,
  assembly: string,
): Promise<void> {
  const draft = `${assembly}.${randomUUID()}`;
  await mkdir(draft, { recursive: true });
  try {
    const stageFile = join(draft, "stage.json");
    await writeFile(stageFile, settings);
    await runApp(projectRoot, {
      ...environment,
      CDK_OUTDIR: draft,
      STAGE_FILE: stageFile,
      SYNTH_VALIDATION: "off",
    });
    await rename(draft, assembly);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another start may have finished the same assembly first.
    if (!(await exists(join(assembly, "manifest.json")))) throw error;
  }
}

async function runApp(projectRoot: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const app = spawn(process.execPath, ["infra/app.ts"], {
    cwd: projectRoot,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, complained, [code]] = await Promise.all([
    text(app.stdout),
    text(app.stderr),
    once(app, "close"),
  ]);
  if (code !== 0)
    throw new SynthesisError(`The template could not be synthesized:\n${`${printed}${complained}`.trim()}`);
}

const exists = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** The time of a directory says when it was last wanted. */
async function touch(path: string, clock: Clock): Promise<void> {
  const nowS = clock() / 1000;
  await utimes(path, nowS, nowS);
}

/** Removes what has not been wanted for longest, and drafts of starts that were killed. */
async function prune(cacheDirectory: string): Promise<void> {
  const names = await readdir(cacheDirectory);
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      wantedMs: (await stat(join(cacheDirectory, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const old = dated.sort((one, other) => other.wantedMs - one.wantedMs).slice(KEPT_MAX);
  for (const { name } of old) await rm(join(cacheDirectory, name), { recursive: true, force: true });
}
