import { expect, test, vi } from "vitest";
import { startCountinghouse } from "../../../../publish/embed/index.ts";
import { oldNode } from "../../../../publish/embed/old-node.ts";

test.each(["18.20.0", "24.14.9", "9.99.0"])("Node.js %s is told which one it must be", (version) => {
  expect(oldNode(version)).toMatch(
    new RegExp(
      `^countinghouse needs Node\\.js 24\\.15 or later, and this is ${version}\\. Install a newer one, `,
    ),
  );
});

test.each(["24.15.0", "24.21.0", "26.0.0"])("Node.js %s is accepted", (version) => {
  expect(oldNode(version)).toBeUndefined();
});

test("a start in an old Node.js is refused with that sentence, before a thread is made", async () => {
  const versions = vi.spyOn(process, "versions", "get");
  versions.mockReturnValue({ ...process.versions, node: "20.20.2" });
  try {
    await expect(startCountinghouse()).rejects.toMatchObject({
      name: "CountinghouseError",
      message: oldNode("20.20.2"),
    });
  } finally {
    versions.mockRestore();
  }
});
