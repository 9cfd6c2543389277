import * as sdk from "@aws-sdk/client-dynamodb";
import { type HttpRequest, HttpResponse } from "@smithy/core/protocols";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as standIn from "../../infra/bundling/store-client.ts";
import { writeQuestion } from "../../infra/bundling/wire-document.ts";
import { describeFault } from "../../lib/log.ts";
import { cases } from "../support/cases.ts";

/** The pauses of the call that runs. */
const pausesMs: number[] = [];

beforeEach(() => {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key-id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-a-secret");
  // The pauses between attempts are random.
  vi.spyOn(Math, "random").mockReturnValue(0.999);
  const start = globalThis.setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((go: () => void, pauseMs: number) => {
    pausesMs.push(pauseMs);
    return start(go, 0);
  }) as typeof setTimeout);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A handler that gives each request the same answer, and what it was asked. */
function handlerOf({ status, headers = {}, body }: Answer) {
  const asked: HttpRequest[] = [];
  const handle = async (request: HttpRequest) => {
    asked.push(request);
    const given = { statusCode: status, headers, body: Buffer.from(body) };
    return { response: new HttpResponse(given) };
  };
  const settings = { updateHttpClientConfig: () => undefined, httpHandlerConfigs: () => ({}) };
  return { asked, requestHandler: { handle, ...settings } };
}

type Input = sdk.PutItemCommandInput;

/** What one of the two asks, and what its caller learns. */
async function call(client: "sdk" | "standIn", answer: Answer, input: Input) {
  pausesMs.length = 0;
  const { asked, requestHandler } = handlerOf(answer);
  const options = { maxAttempts: 3, requestHandler };
  const heard =
    client === "sdk"
      ? await outcomeOf(sdk, () => new sdk.DynamoDBClient(options).send(new sdk.PutItemCommand(input)))
      : await outcomeOf(standIn, () =>
          new standIn.DynamoDBClient(options).send(new standIn.PutItemCommand(input)),
        );
  return { asked: asked.map(({ body }) => JSON.parse(String(body))), heard, pausesMs: [...pausesMs] };
}

type Errors = Pick<
  typeof sdk | typeof standIn,
  "ConditionalCheckFailedException" | "DynamoDBServiceException"
>;

/** The members of an answer, or the error in the words that callers decide by. */
async function outcomeOf(errors: Errors, send: () => Promise<object>): Promise<unknown> {
  try {
    const { $metadata: _, ...members } = (await send()) as sdk.PutItemCommandOutput;
    return plain(members);
  } catch (error) {
    const { name, message, $metadata, Item } = error as sdk.ConditionalCheckFailedException;
    const { ThrottlingReasons, throttlingReasons } = error as Record<string, unknown>;
    const { name: _, message: told, frames: __, ...logged } = describeFault(error);
    const isCondition = error instanceof errors.ConditionalCheckFailedException;
    return {
      name,
      // The SDK adds to a parser's message where to look further.
      message: message.split("\n")[0],
      status: $metadata.httpStatusCode,
      logged: { ...logged, hasMessage: told !== undefined },
      isService: error instanceof errors.DynamoDBServiceException,
      isCondition,
      Item: isCondition ? plain(Item) : undefined,
      reasons: ThrottlingReasons ?? throttlingReasons,
    };
  }
}

/** Bytes as text, whichever class holds them. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
};

/** Names of attributes, among them those of an attribute's own members. */
const nameOf = fc.oneof(
  fc.constantFrom("B", "BS", "S", "L", "M", "Item", "constructor"),
  fc.string({ minLength: 1 }),
);
const names = nameOf.filter((name) => name !== "__proto__");
const bytes = fc.uint8Array({ maxLength: 40 });
const binary = fc.oneof(
  bytes,
  bytes.map((own) => Buffer.from(own)),
);

const { attribute } = fc.letrec<{ attribute: sdk.AttributeValue }>((tie) => ({
  attribute: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ S: fc.string({ unit: "binary" }) }),
    fc.record({ N: fc.integer().map(String) }),
    fc.record({ B: binary }),
    fc.record({ BS: fc.array(binary, { minLength: 1, maxLength: 3 }) }),
    fc.record({ SS: fc.array(fc.string(), { minLength: 1, maxLength: 3 }) }),
    fc.record({ BOOL: fc.boolean() }),
    fc.constant({ NULL: true as const }),
    fc.record({ L: fc.array(tie("attribute"), { maxLength: 4 }) }),
    fc.record({ M: fc.dictionary(names, tie("attribute"), { maxKeys: 4 }) }),
  ) as fc.Arbitrary<sdk.AttributeValue>,
}));
const items = fc.dictionary(names, attribute, { maxKeys: 5 });

const NOTHING: Answer = { status: 200, body: "{}" };
const small: Input = { TableName: "any", Item: { id: { S: "record-1" } } };

describe("the client that stands in for the SDK's", () => {
  test("asks the same as the SDK for every item", async () => {
    await fc.assert(
      fc.asyncProperty(items, async (Item) => {
        const input = { TableName: "any", Item };
        expect(await call("standIn", NOTHING, input)).toEqual(await call("sdk", NOTHING, input));
      }),
    );
  });

  test("reads the same as the SDK from every answer with an item", async () => {
    await fc.assert(
      fc.asyncProperty(items, async (Item) => {
        const { asked } = await call("sdk", NOTHING, { TableName: "any", Item });
        const body = JSON.stringify({ Attributes: asked[0].Item, ConsumedCapacity: { TableName: "any" } });
        const ours = await call("standIn", { status: 200, body }, small);
        expect(ours).toEqual(await call("sdk", { status: 200, body }, small));
        expect(ours.heard).toMatchObject({ Attributes: plain(Item) });
      }),
    );
  });

  const typed = fc.constantFrom(
    "ConditionalCheckFailedException",
    "InternalServerError",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
    "UnrecognizedClientException:http://internal.amazon.com/coral/",
    "ValidationException",
  );
  /** The member in which each exception says what has throttled a call. */
  const reasonsIn: Readonly<Record<string, string>> = {
    ProvisionedThroughputExceededException: "ThrottlingReasons",
    RequestLimitExceeded: "ThrottlingReasons",
    ThrottlingException: "throttlingReasons",
  };
  const reasons = fc.array(
    fc.record({
      reason: fc.constantFrom("TableWriteKeyRangeThroughputExceeded", "IndexReadAccountLimitExceeded"),
      resource: fc.constant("arn:aws:dynamodb:eu-central-1:123456789012:table/any"),
    }),
    { minLength: 1, maxLength: 2 },
  );
  const refusals = fc
    .record({
      type: typed,
      prefix: fc.constantFrom("com.amazonaws.dynamodb.v20120810#", ""),
      namedBy: fc.constantFrom("__type", "__type", "code", "Code", "x-amzn-errortype"),
      member: fc.constantFrom("message", "Message", "other"),
      Item: fc.option(items),
      why: fc.option(reasons),
    })
    .map(({ type, prefix, namedBy, member, Item, why }) => {
      const isHeader = namedBy.startsWith("x-");
      const body = JSON.stringify({
        ...(!isHeader && { [namedBy]: `${prefix}${type}` }),
        [member]: "a reason",
        ...(why !== null && type in reasonsIn && { [reasonsIn[type] ?? ""]: why }),
        ...(Item !== null && { Item: JSON.parse(writeQuestion(Item)) }),
      });
      return { body, headers: isHeader ? { [namedBy]: `${prefix}${type}` } : {} };
    });
  const others = fc.constantFrom(
    "",
    "{}",
    "null",
    "[1]",
    "3",
    "<html></html>",
    "{",
    '{"Attributes":null}',
    '{"__type":3}',
    '{"__type":[]}',
    '{"code":{},"__type":"a:b#c,d"}',
  );
  const answers = fc
    .tuple(
      fc.oneof(
        refusals,
        others.map((body) => ({ body, headers: {} })),
      ),
      fc.constantFrom({}, { "x-amzn-requestid": "REQUEST-1" }),
    )
    .map(([{ body, headers }, id]) => ({ body, headers: { ...headers, ...id } }));
  const statuses = fc.constantFrom(200, 299, 300, 400, 403, 413, 429, 500, 502, 503, 504);

  test("tells its caller the same as the SDK, after the same attempts and pauses, whatever comes back", async () => {
    await fc.assert(
      fc.asyncProperty(statuses, answers, async (status, { body, headers }) => {
        fc.pre(status < 300 ? !/a reason|__type/.test(body) : true);
        const answer = { status, headers, body };
        expect(await call("standIn", answer, small)).toEqual(await call("sdk", answer, small));
      }),
      { numRuns: cases(60) },
    );
  });
});
