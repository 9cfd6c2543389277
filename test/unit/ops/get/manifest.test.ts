import { describe, expect, test } from "vitest";
import { type Content, contentOf, differences } from "../../../../ops/get/manifest.ts";

const written = {
  records: 3,
  days: { "2026-11-28": 2, "2026-11-27": 1 },
  first: { instant: "2026-11-28T10:00:00.000Z", id: "c" },
  last: { instant: "2026-11-27T10:00:00.000Z", id: "a" },
  bytes: 10,
  sha256: "0",
};
const content: Content = contentOf("ndjson", written, { bytes: 10, sha256: "0" });

describe("two contents", () => {
  test("are equal when nothing differs", () => {
    expect(differences(content, structuredClone(content))).toEqual([]);
  });

  test("differ by the days that differ, whichever of them has the day", () => {
    const days = { "2026-11-28": 3, "2026-11-26": 1 };
    expect(differences(content, { ...content, records: 4, days })).toEqual([
      "records: 3 in the manifest, 4 now",
      "2026-11-28: 2 in the manifest, 3 now",
      "2026-11-27: 1 in the manifest, none now",
      "2026-11-26: none in the manifest, 1 now",
    ]);
  });
});
