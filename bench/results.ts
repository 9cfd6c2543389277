import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import path from "node:path";
import { type Figure, type Measurement, type Summary, summarize } from "./figure.ts";
import { markdownTable, short } from "./print-figures.ts";

const RESULTS = path.join(import.meta.dirname, "results.json");
const DOCUMENT = path.join(import.meta.dirname, "..", "docs", "performance.md");

export interface Circumstances {
  readonly command: string;
  readonly runs: number;
}

/** A measurement as it is kept: its figures, and how they were made. */
interface KeptMeasurement extends Circumstances {
  readonly about: string;
  readonly measuredOn: string;
  readonly machine: string;
  readonly figures: readonly Figure[];
}

export type Results = Readonly<Record<string, KeptMeasurement>>;

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(RESULTS, "utf8").catch(() => "{}")) as Results;
}

/** Merges the figures of several runs: the median of the runs' medians, and the lowest and highest of them. */
export function mergeRuns(runs: readonly (readonly Figure[])[]): readonly Figure[] {
  const [first = [], ...others] = runs;
  if (others.length === 0) return first;
  return first.map((figure, at) => {
    const all = runs.flatMap((run) => run[at] ?? []);
    const merged = (of: (one: Figure) => Summary): Summary => {
      const medians = all.map((one) => of(one).median);
      return {
        median: summarize(medians).median,
        low: Math.min(...medians),
        high: Math.max(...medians),
        samples: all.reduce((sum, one) => sum + of(one).samples, 0),
      };
    };
    const { aim } = figure;
    const met = all.filter((one) => one.aim?.isMet).length;
    return {
      ...figure,
      ours: merged(({ ours }) => ours),
      peer: merged(({ peer }) => peer),
      ratio: merged(({ ratio }) => ratio),
      ...(aim !== undefined && {
        aim: { text: `${aim.text} (${met} of ${all.length} runs)`, isMet: met === all.length },
      }),
    };
  });
}

/** Replaces a measurement's figures in `results.json` and in the documentation. */
export async function keepResults(
  { name, about }: Measurement,
  figures: readonly Figure[],
  circumstances: Circumstances,
): Promise<void> {
  const [processor] = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  const machine = `${cpus().length} × ${processor?.model.trim()}, ${memoryGb} GB, Node.js ${process.version}`;
  const measuredOn = new Date().toISOString().slice(0, 10);
  const kept: KeptMeasurement = { about, measuredOn, machine, ...circumstances, figures };
  const results = { ...(await readResults()), [name]: kept };
  await writeFile(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`);
  await replaceSection("measurements", aimsText(results));
}

/** Replaces the text between a section's two marks in the documentation. Throws when a mark is missing. */
export async function replaceSection(section: string, text: string): Promise<void> {
  const document = await readFile(DOCUMENT, "utf8");
  const [begin, end] = [`<!-- ${section}: begin -->`, `<!-- ${section}: end -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md lacks the marks of ${section}.`);
  const replaced = `${document.slice(0, from)}${begin}\n${text}\n${document.slice(to)}`;
  await writeFile(DOCUMENT, replaced);
}

const HEADINGS = ["measurement", "ours", "peer", "ours / peer", "aim"];

/**
 * The aims in `docs/performance.md`: the figures that have an aim, or all of a measurement that has none. Figures of one
 * kind (of each endpoint, size or number of callers) share a row, which has the range of their medians.
 */
export function aimsText(results: Results): string {
  const rows = Object.entries(results).flatMap(([name, { figures }]) => {
    const kinds = Map.groupBy(
      figures,
      ({ what, peerName }) => `${what.replace(/^.*: /, "")}, against ${peerName.replace(/,.*/, "")}`,
    );
    const all = [...kinds].map(([kind, of]) => ({ of, row: aimRow(`${name}: ${kind}`, of) }));
    const aimed = all.filter(({ of }) => of.some(({ aim }) => aim !== undefined));
    return (aimed.length === 0 ? all : aimed).map(({ row }) => row);
  });
  const made = new Set(Object.values(results).map(({ measuredOn, machine }) => `${measuredOn}, ${machine}`));
  return `${markdownTable([HEADINGS, ...rows])}\n\nMeasured: ${[...made].toSorted().join("; ")}.`;
}

function aimRow(kind: string, figures: readonly Figure[]): string[] {
  const aims = figures.flatMap(({ aim }) => aim ?? []);
  const verdict = aims.every(({ isMet }) => isMet) ? "met" : "NOT MET";
  const unit = figures[0]?.unit ?? "";
  return [
    kind,
    `${rangeOf(figures.map(({ ours }) => ours.median))} ${unit}`,
    `${rangeOf(figures.map(({ peer }) => peer.median))} ${unit}`,
    rangeOf(figures.map(({ ratio }) => ratio.median)),
    aims[0] === undefined ? "" : `${aims[0].text.replace(/ \(.*/, "")}: ${verdict}`,
  ];
}

function rangeOf(values: readonly number[]): string {
  const finite = values.filter(Number.isFinite);
  const [low, high] = [short(Math.min(...finite)), short(Math.max(...finite))];
  return low === high ? low : `${low}–${high}`;
}
