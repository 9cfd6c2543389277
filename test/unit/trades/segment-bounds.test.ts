import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ByteWriter, zigzag } from "../../../lib/trades/bytes.ts";
import { packSegment, UnreadableSegment } from "../../../lib/trades/pack-segment.ts";
import { DamagedSegment, readSegment } from "../../../lib/trades/read-segment.ts";
import { decodeSegment } from "../../../lib/trades/segment-codec.ts";
import { INSTANT_MAX_MS } from "../../../lib/trades/trade.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { NOW, trade } from "../../support/trades.ts";

/** What a payload says, written by the description of the format and by nothing of the codec's. */
interface Said {
  readonly version?: number;
  readonly idsForm?: number;
  readonly columnsLength?: number;
  readonly revision?: number;
  /** Of each trade: its instant. */
  readonly instants?: readonly number[];
  /** Of each trade: how much later it is published. */
  readonly lags?: readonly number[];
  readonly width?: number;
  readonly scale?: number;
  readonly flags?: number;
  readonly ids?: readonly string[];
  readonly after?: readonly number[];
}

const damaged = "A stored segment of trades is damaged.";
const idOf = (n: number): string => String(n).padStart(32, "0");

function columnsOf(said: Said): Buffer {
  const { revision = 0, instants = [NOW], width = 0, scale = 2, flags = 1, after = [] } = said;
  const writer = new ByteWriter();
  writer.number(revision);
  writer.number(instants.length);
  for (const [at, instant] of instants.entries()) writer.number(instant - (instants[at - 1] ?? 0));
  for (const at of instants.keys()) writer.number(zigzag(said.lags?.[at] ?? 0));
  for (const layout of ["steps", "whole"]) {
    writer.byte(width);
    for (const _ of instants) writer.byte(scale);
    for (const at of instants.keys()) writer.number(layout === "steps" && at > 0 ? 0 : 10);
  }
  for (const _ of instants) writer.byte(flags);
  for (const byte of after) writer.byte(byte);
  return writer.bytes();
}

function payloadOf(said: Said): Buffer {
  const { version = 1, idsForm = 0, instants = [NOW], ids = instants.map((_, at) => idOf(at)) } = said;
  const columns = deflateRawSync(columnsOf(said));
  const length = said.columnsLength ?? columns.length;
  const idBytes = Buffer.from(ids.join(""), "hex");
  const stored = idsForm === 1 ? deflateRawSync(idBytes) : idBytes;
  return Buffer.concat([Buffer.from([version, idsForm, length >> 8, length & 0xff]), columns, stored]);
}

/** Why a payload is refused: the innermost cause, for the operator. */
function causeOf(payload: Buffer, digestStart?: Buffer): string {
  const error = thrownBy(() => decodeSegment(payload, digestStart)) as Error | undefined;
  if (error === undefined) return "none";
  expect(error.message).toBe(damaged);
  return (error.cause as Error).message;
}

const many = (count: number) => Array.from({ length: count }, () => NOW);
/** What zlib says when it would unpack more bytes than it may. */
const tooLarge = (bytesMax: number) => `Cannot create a Buffer larger than ${bytesMax} bytes`;

describe("a payload is read up to each of its bounds, and refused beyond it for that reason", () => {
  test.each<[string, Said, string]>([
    ["all that is usual", {}, "none"],
    ["another version", { version: 2 }, "Version 2 is not known."],
    ["deflated ids", { idsForm: 1 }, "none"],
    ["another form of ids", { idsForm: 2 }, "The form of the ids is not known."],
    ["columns that are longer than all", { columnsLength: 0xff00 }, "The columns end early."],
    ["no trade", { instants: [] }, "The number of trades is out of bounds."],
    ["250 trades", { instants: many(250) }, "none"],
    ["251 trades", { instants: many(251) }, "The number of trades is out of bounds."],
    ["an id too few", { ids: [] }, "There is not one id for each trade."],
    ["an id too many", { ids: [idOf(1), idOf(2)] }, "There is not one id for each trade."],
    ["a wide column", { width: 1 }, "none"],
    ["a column of another width", { width: 2 }, "The width of a column is not known."],
    ["37 digits after the point", { scale: 37 }, "none"],
    ["38 digits after the point", { scale: 38 }, "A decimal is out of bounds."],
    ["a sale that was withdrawn", { flags: 0b110 }, "none"],
    ["a third side", { flags: 0b011 }, "A trade's side is not known."],
    ["a flag that there is not", { flags: 0b1000 }, "A trade's side is not known."],
    ["a byte after the last trade", { after: [0] }, "The columns do not end with the last trade."],
    ["columns of more than 24 KiB", { after: Array(24 * 1024).fill(0) }, tooLarge(24 * 1024)],
    ["deflated ids of more trades than there are", { idsForm: 1, ids: [idOf(1), idOf(2)] }, tooLarge(16)],
    ["a publication at the epoch", { instants: [5], lags: [-5] }, "none"],
    ["a publication before the epoch", { instants: [5], lags: [-6] }, "A publication is not an instant."],
    ["the last instant of all", { instants: [INSTANT_MAX_MS] }, "none"],
    ["an instant beyond", { instants: [INSTANT_MAX_MS + 1], lags: [-1] }, "A number is out of bounds."],
    ["trades 2,000 ms apart", { instants: [NOW, NOW + 2_000] }, "none"],
    ["trades 2,001 ms apart", { instants: [NOW, NOW + 2_001] }, "The trades lie too far apart."],
    ["two trades in one place", { instants: many(2), ids: [idOf(1), idOf(1)] }, "Out of order."],
    ["two trades in the wrong order", { instants: many(2), ids: [idOf(2), idOf(1)] }, "Out of order."],
    ["a later trade with a lower id", { instants: [NOW, NOW + 1], ids: [idOf(2), idOf(1)] }, "none"],
  ])("%s", (_, said, cause) => expect(causeOf(payloadOf(said))).toBe(cause));

  test("less than a header", () => {
    for (const length of [0, 3])
      expect(causeOf(payloadOf({}).subarray(0, length))).toBe("The payload is too short.");
  });

  test("a digest of something else", () => {
    const content = Buffer.concat([columnsOf({}), Buffer.from(idOf(0), "hex")]);
    const digest = createHash("sha256").update(content).digest().subarray(0, 4);
    expect(causeOf(payloadOf({}), digest)).toBe("none");
    expect(causeOf(payloadOf({ revision: 1 }), digest)).toBe("The content is not the one that was written.");
  });
});

describe("a segment that is stored under another key than its own", () => {
  const stored = packSegment("BTC-USD", { revision: 0, trades: [trade(1, NOW), trade(2, NOW + 5)] });
  const other = packSegment("BTC-USD", { revision: 0, trades: [trade(1, NOW)] });

  const ofOther = Buffer.concat([other.sort.subarray(0, 24), stored.sort.subarray(24)]);
  test.each<[string, Buffer, string]>([
    ["a key that is too short", stored.sort.subarray(1), "The key has another length than ours."],
    ["a key of another last trade", ofOther, "The last trade is not that of the key."],
    ["a key of another digest", other.sort, damaged],
  ])("is damaged, and the cause says why: %s", (_, sort, cause) => {
    const segment = { ...stored, sort };
    const refusal = thrownBy(() => readSegment(segment));
    expect(refusal).toBeInstanceOf(DamagedSegment);
    expect(refusal).toMatchObject({ name: "DamagedSegment", message: damaged, segment });
    expect(((refusal as Error).cause as Error).message).toBe(cause);
  });
});

describe("a segment that would not come out as it went in is not packed", () => {
  const refusalOf = (trades: readonly [ReturnType<typeof trade>, ...ReturnType<typeof trade>[]]) => {
    const segment = { revision: 0, trades };
    const error = thrownBy(() => packSegment("BTC-USD", segment)) as Error | undefined;
    if (error === undefined) return "packed";
    expect(error).toBeInstanceOf(UnreadableSegment);
    const message = "A segment of trades does not read as it was written.";
    expect(error).toMatchObject({ name: "UnreadableSegment", message, segment });
    return (error.cause as Error).message;
  };

  test.each([
    ["a side that is none", [trade(1, NOW, { side: "BUY" as never })], damaged],
    ["a price with a zero before it", [trade(1, NOW, { price: "01.50" })], "A trade differs."],
    ["a quantity with a zero before it", [trade(1, NOW, { quantity: "01.50" })], "A trade differs."],
    ["an id in capitals", [trade(1, NOW, { id: "A".repeat(32) })], "A trade differs."],
    ["nothing strange", [trade(1, NOW)], "packed"],
    ["a withdrawal", [trade(1, NOW, { withdrawn: true })], "packed"],
  ] as const)("%s", (_, trades, cause) => expect(refusalOf([...trades])).toBe(cause));
});
