/** Loaded by the first answer that is compressed, because it takes 2 ms of a cold start. */
const zlib = () => process.getBuiltinModule("node:zlib");

/** Up to this size, the headers of a compressed answer cost more than the compression saves. */
const SMALLEST_WORTH_BYTES = 1024;

/**
 * The codings on offer, the cheapest first. Each is at its lowest level: a page of trades takes less than a
 * millisecond, and a higher level saves a few per cent for tens of them.
 */
const encoders = {
  zstd: (plain: Buffer) => {
    const { constants, zstdCompressSync } = zlib();
    return zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  },
  br: (plain: Buffer) => {
    const { constants, brotliCompressSync } = zlib();
    // A window of 256 KB: at this quality, a larger one compresses these texts no further and takes more memory.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 };
    return brotliCompressSync(plain, { params });
  },
  gzip: (plain: Buffer) => zlib().gzipSync(plain),
} as const;

type Encoding = keyof typeof encoders;

const codings = Object.keys(encoders) as Encoding[];

/**
 * The coding that an `Accept-Encoding` header weighs highest (RFC 9110 12.5.3). A weight of 0 forbids a coding; one
 * that the header does not name has the weight of `*`. Of equal weights, codings that are named come first, in our own
 * order. The others follow in the opposite order, gzip before zstd: not every client that writes `*` knows zstd.
 *
 * @returns undefined when the header accepts no coding on offer, or weighs `identity` higher.
 */
function acceptedEncoding(header: string | undefined): Encoding | undefined {
  const weights = new Map((header ?? "").split(",").map(readWeight));
  const weightOf = (coding: Encoding): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const isNamed = (coding: Encoding): boolean => weights.has(coding);
  const inOrder = [...codings.filter(isNamed), ...codings.toReversed().filter((coding) => !isNamed(coding))];
  const [best = "gzip"] = inOrder.toSorted((a, b) => weightOf(b) - weightOf(a));
  return weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0) ? best : undefined;
}

/** One entry of the header: a coding and its weight, which is 1 when absent and 0 when it is not a number. */
function readWeight(entry: string): readonly [coding: string, weight: number] {
  const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

export interface EncodedBody {
  readonly body: string;
  readonly isBase64Encoded: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** A body as it goes to the gateway: compressed and in Base64, where that is worthwhile and the caller accepts it. */
export function encodeBody(body: string, acceptEncoding: string | undefined): EncodedBody {
  const encoding = acceptedEncoding(acceptEncoding);
  // A string that was concatenated piece by piece is copied at each conversion to bytes, so it is converted once.
  const plain = encoding === undefined ? Buffer.alloc(0) : Buffer.from(body);
  if (encoding === undefined || plain.length <= SMALLEST_WORTH_BYTES) {
    return { body, isBase64Encoded: false, headers: { Vary: "Accept-Encoding" } };
  }
  return {
    body: encoders[encoding](plain).toString("base64"),
    isBase64Encoded: true,
    headers: { Vary: "Accept-Encoding", "Content-Encoding": encoding },
  };
}
