import { Option } from "commander";

/** Options that all imports have. */

export const rejectsOption = (): Option =>
  new Option("--rejects <path>", "the file for refused lines and remarks (default: <file>.rejects.ndjson)");

export const dropUnknownOption = (): Option =>
  new Option(
    "--drop-unknown",
    "leave out members that the contract does not have, instead of refusing the line",
  );

export const dryRunOption = (): Option => new Option("--dry-run", "check everything, and store nothing");
