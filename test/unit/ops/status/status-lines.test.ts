import { expect, test } from "vitest";
import { type StatusLine, statusLines } from "../../../../ops/status/status-lines.ts";

/** The lines of a status in which everything has this owner. */
function linesFor(owner: string): readonly StatusLine[] {
  const at = new Date(0).toISOString();
  const tenants = [{ kind: "business" as const, owner, records: 1, newest: null }];
  const endingCredentials = [{ id: "ramp-key#1", owner, expiresAt: at, label: null, hasEnded: true }];
  const blockedSubjects = [{ subject: owner, since: at, reason: null }];
  return statusLines(
    {
      switches: { isSeen: true, value: { switchesOff: [] } },
      credentials: { isSeen: true, value: { endingCredentials, blockedSubjects } },
      queues: { isSeen: true, value: {} },
      records: { isSeen: true, value: { tenants } },
      alarms: { isSeen: true, value: {} },
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
