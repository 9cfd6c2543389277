import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { defineCommand } from "../command.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import type { Table } from "../terminal/write-table.ts";
import { costQuestion, countAll, showCount, type Tenant, tenantShape } from "./count-tenants.ts";

function tableOf(tenants: readonly Tenant[]): Table {
  const rows = tenants.map(({ kind, owner, records, newest }) => [
    kind,
    shownOwner(owner ?? "-"),
    { text: inThousands(records), isFigure: true },
    newest ?? "-",
  ]);
  return { head: ["KIND", "OWNER", { text: "RECORDS", isFigure: true }, "NEWEST"], rows };
}

/** `tenants list`: whose records are stored, and how many. */
export const listTenants = defineCommand({
  words: "tenants list",
  summary: "count the records of each owner, with the newest change",
  about: `Counts the transactions of each business, the sell orders of each partner, the trades of each market that readers see, and
the passes, with the instant of the newest: the latest change, or of a market the latest trade. The counts are exact for
everything that was stored before the command began. It reads the tables whole; before it reads more than 4 GiB of a
stage it says what that costs, and asks.`,
  examples: ["ops tenants list", `ops tenants list --json | jq '.[] | select(.owner == "acme")'`],
  exits: { 0: "listed", 1: "some trades cannot be read", 2: "not listed" },
  on: "store",
  asks: true,
  stops: "",
  json: {
    shape: z.array(tenantShape),
    example: [
      { kind: "business", owner: "acme", records: 12_345, newest: "2026-11-28T09:30:00.000000Z" },
      { kind: "market", owner: "BTC-USD", records: 1_204_511, newest: "2026-11-28T09:31:07.120Z" },
      { kind: "passes", owner: null, records: 88, newest: null },
    ],
  },
  async run(_, { store: open, confirm, stoppable }) {
    const store = await open();
    const question = await costQuestion(store);
    if (question !== undefined) await confirm(question, new OperatorError("Nothing was counted."));
    const onRead = showCount(systemClock);
    const tenants = await stoppable((stop) => countAll(store, { onRead, stop }, systemClock()));
    if (tenants === undefined)
      return { remark: "Stopped: nothing is listed, because the counts are not complete." };
    const damages = tenants.flatMap(({ owner, damagedSegments = 0 }) =>
      damagedSegments === 0
        ? []
        : `${owner}: ${inThousands(damagedSegments)} segments of trades cannot be read, and are not counted. See \`segments check ${owner}\`.`,
    );
    return {
      json: [...tenants],
      text: tenants.length === 0 ? "There are no records." : tableOf(tenants),
      ...(damages.length > 0 && { remark: damages.join("\n"), exitCode: exitCodes.someRefused }),
    };
  },
});
