import { describe, expect, test } from "vitest";
import { type Content, contentOf, differences } from "../../../../ops/get/download-files.ts";

const [newest, middle, oldest] = [
  { instant: "2026-11-28T10:00:00.000Z", id: "c" },
  { instant: "2026-11-28T09:00:00.000Z", id: "b" },
  { instant: "2026-11-27T10:00:00.000Z", id: "a" },
] as const;
const windows = {
  "2026-11-28": { records: 2, first: newest, last: middle },
  "2026-11-27": { records: 1, first: oldest, last: oldest },
};
const written = { records: 3, windows, first: newest, last: oldest, bytes: 10, sha256: "0" };
const content: Content = contentOf("ndjson", written, { bytes: 10, sha256: "0" });

describe("two contents", () => {
  test("are equal when nothing differs", () => {
    expect(differences(content, structuredClone(content))).toEqual([]);
  });

  test("differ by the windows whose counts differ, whichever of them has the window", () => {
    const others = {
      "2026-11-28": { ...windows["2026-11-28"], records: 3 },
      "2026-11-26": windows["2026-11-27"],
    };
    expect(differences(content, { ...content, records: 4, windows: others })).toEqual([
      "records: 3 in the manifest, 4 now",
      "2026-11-28: 2 in the manifest, 3 now",
      "2026-11-27: 1 in the manifest, none now",
      "2026-11-26: none in the manifest, 1 now",
    ]);
  });

  test("differ by a window with as many records but another first or last one", () => {
    const other = { ...windows, "2026-11-28": { records: 2, first: newest, last: { ...middle, id: "d" } } };
    expect(differences(content, { ...content, windows: other })).toEqual([
      "2026-11-28: 2 2026-11-28T10:00:00.000Z c 2026-11-28T09:00:00.000Z b in the manifest, " +
        "2 2026-11-28T10:00:00.000Z c 2026-11-28T09:00:00.000Z d now",
    ]);
  });
});
