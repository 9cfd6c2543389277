import { physicalTableName } from "../../lib/dynamo/tables.ts";
import type { BucketDescription } from "../../lib/rate-limit/token-bucket.ts";
import { chargedTokens } from "../store/charged-tokens.ts";
import type { StoreCall } from "../store/store-call.ts";
import { LOCAL_STAGE } from "../template/local-stage.ts";

/** The header of the local gateway's answers that carries the call's bill. */
export const BILL_HEADER = "x-local-bill";

/** What one call used. */
export interface Bill {
  /** Tokens of the owner's limit that the store was told to charge. */
  readonly tokens: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Bytes of the answer's body, as they are sent. */
  readonly bytesOut: number;
}

/** The bill of a call whose function made these calls of the store. `bucket` is one of the limit of its endpoint. */
export function billOf(
  calls: readonly StoreCall[],
  bytesOut: number,
  bucket: BucketDescription | undefined,
): Bill {
  return {
    tokens: bucket === undefined ? 0 : sum(calls.map((call) => tokensOf(call, bucket))),
    readUnits: sum(calls.map((call) => call.readUnits)),
    writeUnits: sum(calls.map((call) => call.writeUnits)),
    bytesOut,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const LIMITS_TABLE = physicalTableName(LOCAL_STAGE, "RateLimits");

/** A charge whose condition failed changed nothing; the function then charged again, or refused the request. */
function tokensOf({ table, update, failure }: StoreCall, bucket: BucketDescription): number {
  if (table !== LIMITS_TABLE || update === undefined || failure !== undefined) return 0;
  return chargedTokens(update, bucket) ?? 0;
}

/** The value of the header: a dictionary of RFC 9651, whose decimals have at most three fractional digits. */
export const billText = ({ tokens, readUnits, writeUnits, bytesOut }: Bill): string =>
  [
    `tokens=${tokens}`,
    `read-units=${decimal(readUnits)}`,
    `write-units=${decimal(writeUnits)}`,
    `bytes=${bytesOut}`,
  ].join(", ");

/** A decimal needs a fractional part. */
function decimal(value: number): string {
  const text = `${Math.round(value * 1_000) / 1_000}`;
  return text.includes(".") ? text : `${text}.0`;
}
