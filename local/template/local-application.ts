import { join } from "node:path";
import type { Brand } from "../../lib/brand.ts";
import { places } from "../installation.ts";
import { StartError } from "../process/start-error.ts";
import { readAssembly } from "./assembly.ts";
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

/**
 * The settings that the template of the npm package is synthesized with. Each word stands where the setting of a start
 * will be, and occurs in the template for no other reason.
 */
export const placeholders: LocalSettings = {
  brand: {
    headerPrefix: "Placeholder-Header-",
    venue: "PLACEHOLDERVENUE",
    ownAccount: "placeholder_account",
    versionHeader: "Placeholder-Version",
    basePath: "/placeholder-path",
  },
  corsOrigins: ["https://placeholder.example"],
  stockSdk: false,
};

/** The part of an API's properties that a stage without origins lacks. */
const CORS_PROPERTY = "CorsConfiguration";

/**
 * A value of the template that was synthesized with the placeholders, with the settings of a start in their place: what
 * the CDK app makes of these settings. Only digests in the ids of versions differ, which the local service does not read.
 */
export function fillTemplate<Value>(value: Value, settings: LocalSettings): Value {
  const fill = (inner: unknown): unknown => {
    if (typeof inner === "string") return filledText(inner, settings.brand);
    if (Array.isArray(inner))
      return inner.flatMap((item): readonly unknown[] => itemsFor(item, settings) ?? [fill(item)]);
    if (typeof inner !== "object" || inner === null) return inner;
    const kept = Object.entries(inner).filter(
      ([name]) => name !== CORS_PROPERTY || settings.corsOrigins.length > 0,
    );
    return Object.fromEntries(kept.map(([name, member]) => [name, fill(member)]));
  };
  return fill(value) as Value;
}

/** The origins that stand for the placeholder's in a list. */
const itemsFor = (item: unknown, { corsOrigins }: LocalSettings): readonly string[] | undefined =>
  placeholders.corsOrigins.some((origin) => origin === item) ? corsOrigins : undefined;

const members = Object.entries(placeholders.brand) as [keyof Brand, string][];
const anyWord = new RegExp(members.map(([, word]) => word).join("|"), "g");
const memberOf: ReadonlyMap<string, keyof Brand> = new Map(members.map(([name, word]) => [word, name]));

/** All in one pass, so that no setting is read again for a placeholder. */
const filledText = (text: string, brand: Brand): string =>
  text.replace(anyWord, (word) => {
    const name = memberOf.get(word);
    return name === undefined ? word : brand[name];
  });
