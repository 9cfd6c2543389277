import * as z from "zod/mini";
import { readCorrections } from "../../lib/corrections.ts";
import { passContractVersions } from "../../lib/passes/contract.ts";
import { entityTag } from "../../lib/passes/entity-tag.ts";
import type { StoredPass } from "../../lib/passes/pass.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { defineCommand } from "../command.ts";
import { jsonTime, RawJson, rawJson } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { instantText } from "../terminal/write-table.ts";

function describe(pass: StoredPass) {
  if (pass.state === "void") return { state: pass.state, goneAt: instantText(pass.goneAt) } as const;
  const tags = Object.fromEntries(
    passContractVersions.map((version) => [version, entityTag(version, pass.text)]),
  );
  const corrections = readCorrections(pass.corrections);
  const trace = corrections.length > 0 && { corrections };
  const { state, version, templateId = null } = pass;
  // The served text is kept as it is: parsing it would lose digits.
  return { state, version, templateId, tags, ...trace, pass: new RawJson(pass.text) } as const;
}

const lineOf = ([name, value]: readonly [string, unknown]): string =>
  value instanceof RawJson
    ? value.text
    : `${name.padEnd(12)}${typeof value === "string" ? value : JSON.stringify(value)}`;

/** `passes show`: prints a stored pass. */
export const showPass = defineCommand({
  words: "passes show",
  summary: "show a stored pass",
  about: `
Prints the pass's state, version, template id, tag in each contract version and corrections, then the text that is served,
character by character.`,
  examples: ["ops passes show demo-1"],
  exits: { 0: "shown", 1: "there is no such pass", 2: "not shown" },
  on: "store",
  takes: { "<reference>": "the pass's partner reference" },
  json: {
    shape: z.discriminatedUnion("state", [
      z.object({
        state: z.literal("current"),
        version: z.number(),
        templateId: z.nullable(z.string()),
        tags: z.record(z.string(), z.string()),
        corrections: z.optional(z.array(z.unknown())),
        pass: rawJson,
      }),
      z.object({ state: z.literal("void"), goneAt: jsonTime }),
    ]),
    example: { state: "void", goneAt: "2026-11-29T00:30:00.000Z" },
  },
  async run({ reference }, { store }) {
    requirePartnerReference(reference);
    const pass = await new PassStore((await store()).table("Passes")).get(reference);
    if (pass === undefined) return { remark: `There is no pass ${terminalText(reference)}.`, exitCode: 1 };
    const json = describe(pass);
    return { json, text: Object.entries(json).map(lineOf) };
  },
});
