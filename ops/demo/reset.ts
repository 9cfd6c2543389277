import { commands } from "../../local/installation.ts";
import { resetRoute } from "../../local/reset/reset-routes.ts";
import { defineCommand } from "../command.ts";
import { askControl } from "../control/ask-control.ts";

/** `demo reset`: makes the store of the running `npm start` as after a first start. */
export const resetDemo = defineCommand({
  words: "demo reset",
  summary: "make the store as it is after a first start, without imported records",
  about: `The store is then as after a first start at this moment: the demo's records,
dated by today, full rate limits, and every endpoint switched on. Imported
records are removed, and faults are cleared. Credentials stay as they are.

Requests are answered meanwhile; at the end they are held back for less than a
second. A request that takes longer than that gets a 503. The first reset of a
day takes some seconds longer than later ones.`,
  examples: ["ops demo reset", "ops demo reset --yes"],
  exits: {
    0: "done",
    1: "it was not confirmed",
    2: `no \`${commands.start}\` runs on the data directory`,
  },
  on: "running service",
  asks: true,
  json: { shape: resetRoute.output, example: { written: 5_120, deleted: 3, tookMs: 410, heldMs: 12 } },
  async run({ data }, { confirm }) {
    await confirm(`Remove every record in ${data} that is not of the demo, imported ones too?`);
    const json = await askControl(data, resetRoute, {});
    const { written, deleted, tookMs, heldMs } = json;
    return {
      json,
      text: [
        `The store is as after a first start: ${written} rows written, ${deleted} deleted.`,
        `It took ${tookMs} ms; requests were held back for ${heldMs} ms of them.`,
      ],
    };
  },
});
