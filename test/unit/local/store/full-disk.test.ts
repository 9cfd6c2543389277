import { describe, expect, test } from "vitest";
import { diskFull, isDiskFull } from "../../../../local/store/full-disk.ts";

const error = (message: string, code?: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { ...(code !== undefined && { code }) });

describe("a disk that is full", () => {
  test.each([
    ["the system's code", error("write", "ENOSPC")],
    ["the code for a user's quota", error("write", "EDQUOT")],
    ["LevelDB's words", error("IO error: /d/000006.log: No space left on device", "LEVEL_IO_ERROR")],
    ["LevelDB's words for a quota", error("IO error: /d/1.log: Disk quota exceeded", "LEVEL_IO_ERROR")],
    ["a cause", error("Database is not open", "LEVEL", error("open", "X", error("write", "ENOSPC")))],
  ])("is recognized by %s", (_, thrown) => {
    expect(isDiskFull(thrown)).toBe(true);
  });

  test.each([
    ["another error of the disk", error("IO error: /d/1.log: Input/output error", "LEVEL_IO_ERROR")],
    ["a missing file", error("open", "ENOENT")],
    ["a value that is not an error", "ENOSPC"],
    ["nothing", undefined],
  ])("is not recognized by %s", (_, thrown) => {
    expect(isDiskFull(thrown)).toBe(false);
  });

  test("is a line that names the directory and says what to do", () => {
    expect(diskFull("/data").message).toBe(
      "The disk of /data is full. Free some space and start again: every write that was answered is stored.",
    );
  });
});
