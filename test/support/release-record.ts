import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { type AttributeValue, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import type { Table } from "../../lib/dynamo/table.ts";

type Item = Readonly<Record<string, AttributeValue>>;

/** An item as text. Bytes are hexadecimal, and the payload of a segment and a journal are unpacked: compressors differ. */
type RecordedItem = Readonly<Record<string, unknown>>;

const HEADER_BYTES = 4;
const IDS_DEFLATED = 1;

/** The payload of a segment in its parts. */
function unpack(payload: Buffer) {
  const columnsEnd = HEADER_BYTES + payload.readUInt16BE(2);
  const ids = payload.subarray(columnsEnd);
  return {
    version: payload.readUInt8(0),
    columns: inflateRawSync(payload.subarray(HEADER_BYTES, columnsEnd)).toString("hex"),
    ids: (payload.readUInt8(1) === IDS_DEFLATED ? inflateRawSync(ids) : ids).toString("hex"),
  };
}

/** The payload of these parts. Its ids are plain, which every reader knows. */
function pack({ version, columns, ids }: ReturnType<typeof unpack>): Buffer {
  const packed = deflateRawSync(Buffer.from(columns, "hex"));
  const header = Buffer.from([version, 0, packed.length >> 8, packed.length & 0xff]);
  return Buffer.concat([header, packed, Buffer.from(ids, "hex")]);
}

const recordedValue = (name: string, value: AttributeValue): unknown => {
  if (value.B === undefined) return value;
  const bytes = Buffer.from(value.B);
  if (name === "entries") return { gzip: gunzipSync(bytes).toString() };
  return name === "d" ? { segment: unpack(bytes) } : { hex: bytes.toString("hex") };
};

function storedValue(recorded: unknown): AttributeValue {
  const { segment, gzip, hex, ...plain } = recorded as {
    segment?: ReturnType<typeof unpack>;
    gzip?: string;
    hex?: string;
  };
  if (gzip !== undefined) return { B: gzipSync(gzip) };
  if (segment !== undefined) return { B: pack(segment) };
  return hex === undefined ? (plain as AttributeValue) : { B: Buffer.from(hex, "hex") };
}

/** Every item of a table as text, in the same order each time. */
export async function recordTable({ client, name }: Table): Promise<readonly RecordedItem[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: name }));
  return Items.map((item: Item) =>
    Object.fromEntries(
      Object.entries(item)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([attribute, value]) => [attribute, recordedValue(attribute, value)]),
    ),
  ).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** Puts recorded items into a table. */
export async function fillTable({ client, name }: Table, items: readonly RecordedItem[]): Promise<void> {
  for (const recorded of items) {
    const Item = Object.fromEntries(
      Object.entries(recorded).map(([attribute, value]) => [attribute, storedValue(value)]),
    );
    await client.send(new PutItemCommand({ TableName: name, Item }));
  }
}
