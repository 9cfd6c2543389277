import { commands } from "../../local/installation.ts";
import { resetRoute } from "../../local/reset/reset-routes.ts";
import { resetWords } from "../../local/reset/reset-words.ts";
import { defineCommand } from "../command.ts";
import { askControl } from "../control/ask-control.ts";

const { goes, returns, stays, done } = resetWords;

/** `demo reset`: makes the store of the running `npm start` as after a first start. */
export const resetDemo = defineCommand({
  words: "demo reset",
  summary: "reset the demo: bring its records back, and remove imported ones",
  about: `${goes}
${returns}
${stays}

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
    await confirm(`${goes} Reset the demo of ${data}?`);
    const json = await askControl(data, resetRoute, {});
    const { written, deleted, tookMs, heldMs } = json;
    return {
      json,
      text: [
        `${done} ${written} rows were written, and ${deleted} deleted.`,
        `It took ${tookMs} ms; requests were held back for ${heldMs} ms of them.`,
      ],
    };
  },
});
