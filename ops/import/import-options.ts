import { Option } from "commander";

/** Options that all imports have. */

export const rejectsOption = (): Option =>
  new Option(
    "--rejects <path>",
    "where refused lines and remarks are listed (default: <file>.rejects.ndjson)",
  );

export const dropUnknownOption = (): Option =>
  new Option("--drop-unknown", "leave members out that the contract does not have, instead of refusing them");

export const dryRunOption = (): Option => new Option("--dry-run", "check everything, and store nothing");

/** What the closing remark says of members that were left out. */
export const LEFT_OUT = "Members that the contract does not have, left out";
