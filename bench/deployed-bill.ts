import type { Stage } from "../infra/stage.ts";
import { prices } from "../ops/prices.ts";
import type { Usage } from "./usage.ts";

/** The size at which Lambda gives a function a whole core (Lambda developer guide, "Configure Lambda function memory"). */
export const WHOLE_CORE_MB = 1_769;
/** Billed time in which a function waits for one answer of the store; an assumption. */
const STORE_ANSWER_MS = 3;
const MILLION = 1_000_000;
const GB = 1024 ** 3;
const MB_IN_GB = 1_024;
/** Headers of an answer, which are egress like the body. */
const HEADER_BYTES = 450;

/** The settings of a stage that change what a call costs. */
export type BilledSettings = Pick<Stage["functions"], "memoryMb" | "systemLogLevel">;

/**
 * How long CPU work of this many ms takes at a memory size, in ms. CPU comes in proportion to memory; a call runs on
 * one thread, so more than a core does not help it.
 */
export const workMs = (cpuMs: number, memoryMb: number): number =>
  cpuMs / Math.min(1, memoryMb / WHOLE_CORE_MB);

/** How long a call takes in a running environment, in ms: its work, and its waits for the store. */
export const durationMs = ({ cpuMs, storeCalls }: Usage, memoryMb: number): number =>
  workMs(cpuMs, memoryMb) + storeCalls * STORE_ANSWER_MS;

/** Dollars for a million calls, by what they are paid for. */
export type Terms = Readonly<
  Record<"gateway" | "store reads" | "store writes" | "compute" | "egress" | "logs", number>
>;

/** Dollars for a million calls in running environments, term by term. Logs are paid for as they come in. */
export function deployedTerms(usage: Usage, { memoryMb, systemLogLevel }: BilledSettings): Terms {
  // Lambda bills whole milliseconds.
  const seconds = Math.ceil(durationMs(usage, memoryMb)) / 1_000;
  const gbSeconds = seconds * (memoryMb / MB_IN_GB);
  const bytes = usage.logBytes + (systemLogLevel === "INFO" ? usage.platformBytes : 0);
  return {
    gateway: prices.gatewayPerMillion,
    "store reads": usage.readUnits * prices.readUnitsPerMillion,
    "store writes": usage.writeUnits * prices.writeUnitsPerMillion,
    compute: prices.lambdaPerMillion + gbSeconds * prices.lambdaPerGbSecond * MILLION,
    egress: ((usage.bytesOut + HEADER_BYTES) * MILLION * prices.egressPerGb) / GB,
    logs: (bytes * MILLION * prices.logsPerGb) / GB,
  };
}

/** Dollars for a million calls in all. */
export const sumOf = (terms: Terms): number => Object.values(terms).reduce((total, term) => total + term, 0);
