import { Option } from "commander";
import { optionOf } from "../store/store-options.ts";
import { isReason, REASON_RULE } from "./reason.ts";

function parseReason(text: string): string {
  if (isReason(text)) return text;
  throw new RangeError(`A reason is ${REASON_RULE}.`);
}

/** The option for why something is done, which the audit keeps. */
export const reasonOption = (): Option =>
  new Option("--reason <text>", "why, for the audit").argParser(optionOf(parseReason));
