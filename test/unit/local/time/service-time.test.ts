import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { dataNames } from "../../../../local/store/data-files.ts";
import { readStartNote, writeStartNote } from "../../../../local/store/start-note.ts";
import { readAheadMs, ServiceTime } from "../../../../local/time/service-time.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

test("a time that moves leaves the rest of the start's note as it is", async () => {
  const dataDir = scratchDirectory();
  const note = { brand: contractBrand, engineEndpoint: "http://127.0.0.1:8000" };
  await writeStartNote(dataDir, note);
  await new ServiceTime(dataDir).move("+1d");
  expect(await readStartNote(dataDir)).toEqual({ ...note, aheadMs: 86_400_000 });
});

test("the time is the machine's where no start has noted it, or its note cannot be read", async () => {
  const dataDir = scratchDirectory();
  expect(await readAheadMs(dataDir)).toBe(0);
  writeFileSync(join(dataDir, dataNames.startNote), "{");
  expect(await readAheadMs(dataDir)).toBe(0);
});
