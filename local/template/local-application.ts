import { join } from "node:path";
import { places } from "../installation.ts";
import { StartError } from "../process/start-error.ts";
import { readAssembly } from "./assembly.ts";
import { fillTemplate } from "./fill-template.ts";
import { type LocalSettings, localStageSettings } from "./local-stage.ts";
import { type SynthesisOptions, synthesize } from "./synthesis.ts";
import { type Application, applicationOf, readApplication } from "./template.ts";

/** What a synthesis needs beside the sources, if there has to be one. */
type Synthesis = Omit<SynthesisOptions, "projectRoot" | "cacheDirectory" | "stage">;

/**
 * What the local stage would deploy with these settings. A clone of the project synthesizes the template; the npm package
 * fills in the one that it carries.
 *
 * @throws {StartError} when the CDK app fails, or when the package is asked for something that only the app can make.
 */
export async function localApplication(settings: LocalSettings, options: Synthesis): Promise<Application> {
  const { template } = places;
  if ("readyAssembly" in template) return filledApplication(template.readyAssembly, settings);
  const { projectRoot } = template;
  const cacheDirectory = join(projectRoot, "node_modules/.cache/countinghouse");
  const stage = localStageSettings(settings);
  return readApplication(await synthesize({ ...options, projectRoot, cacheDirectory, stage }));
}

/** What an assembly that was synthesized with the placeholders would deploy with these settings. @throws {StartError} */
export function filledApplication(assembly: string, settings: LocalSettings): Application {
  if (settings.stockSdk)
    throw new StartError(
      "--stock-sdk builds the functions again, for which the sources are needed: use it in a clone of the project.",
    );
  const stacks = readAssembly(assembly);
  return applicationOf(
    stacks.map((stack) => ({ ...stack, template: fillTemplate(stack.template, settings) })),
  );
}
