import { codeIn, type Row, sectionsOf } from "./markdown.ts";
import { projectText } from "./project.ts";

/** The text of `docs/fidelity.md`, which is the list of AWS's known behaviours. */
export const fidelityText = projectText("docs/fidelity.md");

/** A behaviour of AWS, and how far the local service has it too. */
export interface KnownBehaviour {
  readonly behaviour: string;
  /** Where AWS documents it, or that it was seen, is reported or assumed. */
  readonly source: string;
  readonly isHere: boolean;
  /** The test that holds it, from the top of the project. */
  readonly heldBy: string | undefined;
  /** Requests of `compare`, commands by hand and commands of a shell that show it on a deployment. */
  readonly shownBy: readonly string[];
  /** Whether only a function can tell of it. */
  readonly isSeenByFunctions: boolean;
}

const tablesOf = (title: string): readonly (readonly Row[])[] =>
  sectionsOf(fidelityText).find((section) => section.title === title)?.tables ?? [];

const behaviourOf = (row: Row): KnownBehaviour => ({
  behaviour: row.here ?? row["not here"] ?? "",
  source: row.source ?? "",
  isHere: row.here !== undefined,
  heldBy: codeIn(row.test)[0],
  shownBy: codeIn(row["shown by"]),
  isSeenByFunctions: row["shown by"] === "a function",
});

const sectionBehaviours = (title: string): readonly KnownBehaviour[] =>
  tablesOf(title).flat().map(behaviourOf);

export const gatewayBehaviours = sectionBehaviours("What the gateway and the runtime do");

/** Every behaviour but those of the store. */
export const knownBehaviours: readonly KnownBehaviour[] = [
  ...sectionBehaviours("Permissions"),
  ...gatewayBehaviours,
  ...sectionBehaviours("What queues and their event source do"),
];

/** Additions of the local service, with the test that holds each. */
export const additions = tablesOf("What only npm start has").flat();

/** A behaviour of DynamoDB in the operations that the local store takes. */
export interface StoreBehaviour {
  /** In kebab-case. */
  readonly name: string;
  readonly behaviour: string;
  readonly source: string;
  /** Whether a layer in front of the engine adds it, both engines have it, or the local store does not. */
  readonly place: "with a layer" | "by both engines" | "not here";
  /** The engines that behave differently by themselves. */
  readonly differs: readonly string[];
}

const sharedNames = codeIn(/^By both engines: ([^.]*)\./m.exec(fidelityText)?.[1]);

const behaviourOfStore = (row: Row, place: StoreBehaviour["place"]): StoreBehaviour => ({
  name: codeIn(row.name)[0] ?? "",
  behaviour: row[place] ?? "",
  source: row.source ?? "",
  place,
  differs: (row.differs ?? "").split(", ").filter((engine) => engine !== ""),
});

const [layered = [], missing = []] = tablesOf("What DynamoDB does");

/** Behaviours that both engines have are a list of names: the probe of each says what it is. */
export const storeBehaviours: readonly StoreBehaviour[] = [
  ...layered.map((row) => behaviourOfStore(row, "with a layer")),
  ...sharedNames.map((name) => ({
    name,
    behaviour: name.replaceAll("-", " "),
    source: "test/support/store-probes.ts",
    place: "by both engines" as const,
    differs: [],
  })),
  ...missing.map((row) => behaviourOfStore(row, "not here")),
];
