import { expect, test } from "vitest";
import { type StatusLine, statusLines } from "../../../../ops/status/status-lines.ts";

/** The lines of a status in which everything has this owner. */
function linesFor(owner: string): readonly StatusLine[] {
  const tenants = [{ kind: "business", owner, records: 1, newest: undefined }] as const;
  const ending = [{ id: "ramp-key#1", owner, expiresAt: 1, label: undefined }];
  const blocked = [{ subject: owner, issuer: "i", since: 0, reason: undefined, by: undefined }];
  return statusLines(
    {
      switches: { isSeen: true, value: [] },
      credentials: { isSeen: true, value: { ending, blocked } },
      queues: { isSeen: true, value: [] },
      records: { isSeen: true, value: { tenants } },
      alarms: { isSeen: true, value: undefined },
    },
    0,
  );
}

test.each([
  ["fb ", "fb\\u{20}"],
  ["f\u200Bb", "f\\u{200b}b"],
  ["a".repeat(1535), `${"a".repeat(99)}…`],
])(
  "an owner is shown as it is in a table, with what nobody sees spelled out, and cut where it is long: %j",
  (owner, shown) => {
    for (const part of ["records", "credentials", "subjects"]) {
      const [line] = linesFor(owner).filter((each) => each.part === part);
      expect(line?.text).toContain(`${shown} `);
      expect(line?.text.length).toBeLessThan(180);
    }
  },
);
