import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { firstOf, type RecordFile, readDemoRecords } from "../../../../local/demo/demo-records.ts";
import { places } from "../../../../local/installation.ts";
import { StartError } from "../../../../local/process/start-error.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const DAY_MS = 86_400_000;
const anchorMs = Date.UTC(2026, 10, 27);
const { ownAccount } = contractBrand;
const read = (directory?: string) => readDemoRecords({ anchorMs, ownAccount }, directory);

const PASSES = "passes.ndjson";
const ORDERS = "sell-orders/ember-wallet.ndjson";

/** Reads the demo's records from a copy in which a file has another text. */
function readWith(path: string, change: (text: string) => string) {
  const directory = join(scratchDirectory(), "records");
  cpSync(places.records, directory, { recursive: true });
  writeFileSync(join(directory, path), change(readFileSync(join(directory, path), "utf8")));
  return read(directory);
}

const textsOf = ({ lines }: Pick<RecordFile<unknown>, "lines">) =>
  lines.map((line) => ("text" in line ? line.text : line.refusal));

/** Every day that is written in a text: alone, or in front of a time of day. */
const daysIn = (text: string) =>
  Array.from(text.matchAll(/"(\d{4}-\d\d-\d\d)(?:T[^"]+)?"/g), ([, day = ""]) => Date.parse(day));

describe("the demo's records", () => {
  it("are those of the files, but for their days", async () => {
    const records = Object.values(await read());
    expect(records.map(({ path, ownerId }) => `${path} of ${ownerId}`)).toEqual([
      "transactions/harbour-lane-roasters.ndjson of harbour-lane-roasters",
      "transactions/mill-street-print.ndjson of mill-street-print",
      "sell-orders/tide-wallet.ndjson of tide-wallet",
      "sell-orders/ember-wallet.ndjson of ember-wallet",
      "passes.ndjson of passes",
    ]);
    const shifts = new Set<number>();
    for (const file of records) {
      const [written, moved] = [readFileSync(join(places.records, file.path), "utf8"), textsOf(file)];
      const withoutDays = (text: string) => text.replaceAll(/(?<=")\d{4}-\d\d-\d\d(?=[T"])/g, "");
      expect(moved.map(withoutDays)).toEqual(withoutDays(written).trimEnd().split("\n"));
      const days = daysIn(moved.join());
      for (const [at, day] of daysIn(written).entries()) shifts.add((days[at] ?? 0) - day);
      expect(file.documents).toEqual(moved.map((text) => JSON.parse(text)));
    }
    expect(shifts.size).toBe(1);
  });

  it("were updated on the day before the anchor at the latest, whatever days the files say", async () => {
    const newest = async (year: string) => {
      const records = await readWith(ORDERS, (text) => text.replaceAll(/"20\d\d-/g, `"${year}-`));
      const texts = Object.values(records).flatMap((file) => textsOf(file));
      const updates = texts.flatMap((text) => /"updated_at":"([^"]+)"/.exec(text)?.[1] ?? []);
      return updates.toSorted().at(-1);
    };
    for (const year of ["2019", "2026", "2031"]) {
      expect(await newest(year)).toMatch(/^2026-11-26T/);
    }
  });

  it("move the days of schedules and passes along, which may lie ahead", async () => {
    const { passes, business } = await read();
    expect(textsOf(passes)[0]).toContain('"departs_at":"2026-11-29T09:00:00Z"');
    const ahead = textsOf(business).flatMap((text) => /"scheduled_for":"([^"]+)"/.exec(text)?.[1] ?? []);
    expect(ahead.length).toBeGreaterThan(0);
    for (const day of ahead) {
      expect(Date.parse(day)).toBeGreaterThanOrEqual(anchorMs + 3 * DAY_MS);
      expect(Date.parse(day)).toBeLessThanOrEqual(anchorMs + 20 * DAY_MS);
    }
  });

  it("keep what only looks like a day, and digits as they are written", async () => {
    const { passes } = await readWith(PASSES, (text) =>
      text.replace('"seat":"14C"', '"seat":"2026-13-45","row":"on 2026-01-01","miles":1.50e3'),
    );
    expect(textsOf(passes)[0]).toContain('"seat":"2026-13-45","row":"on 2026-01-01","miles":1.50e3');
    expect(textsOf(passes)[2]).toContain('"points":1284.50');
  });

  it("hand on a line that is not a record, for the writer to refuse", async () => {
    const { passes } = await readWith(PASSES, (text) => `not JSON\n\nnull\n${text}`);
    expect(textsOf(passes).slice(0, 2)).toEqual(["not JSON", "null"]);
    expect(passes.lines.map(({ number }) => number)).toEqual([1, 3, 4, 5, 6, 7]);
    expect(passes.documents).toHaveLength(4);
  });

  it("say which file lacks what", async () => {
    const { passes } = await readWith(PASSES, () => "");
    const look = () => firstOf(passes, "pass of any type", () => true);
    expect(look).toThrow(StartError);
    expect(look).toThrow("docs/examples/records/passes.ndjson has no pass of any type.");
  });
});
