import { expect, test } from "vitest";
import { RejectedExport } from "../../../../ops/queue/export-rejected.ts";

test.each(["/proc/nope", "/proc/nope/below", "/dev/null/x"])(
  "an export into %s, where no folder can be, ends with an error",
  async (folder) => {
    await expect(RejectedExport.create(folder)).rejects.toThrow(`Cannot write into ${folder}: E`);
  },
);
