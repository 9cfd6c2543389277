import { type HttpResponse, loadJsonRpcErrorCode } from "@smithy/core/protocols";
import { type Metadata, metadataOf } from "../../lib/dynamo/whole-answers.ts";
import { ownMember } from "../../lib/own-member.ts";

/** A question as DynamoDB's JSON, in which a binary value is Base64. */
export const writeQuestion = (question: object): string =>
  JSON.stringify(question, function (this: Readonly<Record<string, unknown>>, name: string, value: unknown) {
    // A Buffer's own `toJSON` comes before this function, so the holder of the value is asked.
    const own = this[name];
    return own instanceof Uint8Array ? Buffer.from(own).toString("base64") : value;
  });

/**
 * The members of an answer, with binary values as bytes. A member that is null is left out, and an answer that is not an object
 * has none: neither says anything.
 *
 * @throws {SyntaxError} for a text that is not JSON.
 */
export function documentIn(text: string): Readonly<Record<string, unknown>> {
  const document: unknown = text === "" ? {} : JSON.parse(text);
  if (typeof document !== "object" || document === null || Array.isArray(document)) return {};
  decodeWithin(document);
  return Object.fromEntries(Object.entries(document).filter(([, member]) => member !== null));
}

/** The members of an attribute that may be binary. */
interface Binary {
  B?: unknown;
  BS?: unknown;
}

/**
 * Only a binary attribute has a text in its member `B`, or a list in `BS`. Whatever else has these names in an answer is an
 * attribute, and so an object. In `Responses` it would be a list of items by the name of their table, which has three letters at least.
 */
function decodeWithin(holder: object): void {
  for (const member of Object.values(holder))
    if (typeof member === "object" && member !== null) decodeWithin(member);
  const binary: Binary = holder;
  if (typeof binary.B === "string") binary.B = bytesOf(binary.B);
  if (Array.isArray(binary.BS)) binary.BS = binary.BS.map(bytesOf);
}

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, "base64");

/** What DynamoDB refuses, by its name of the error. */
export class DynamoDBServiceException extends Error {
  readonly $response: HttpResponse;
  readonly $metadata: Metadata;
  /** Whose fault it is. The log prints the messages of errors that say this, as the SDK's do. */
  readonly $fault: "client" | "server";
  /** The limits that a throttled call has met. One exception of DynamoDB spells the member the other way. */
  readonly ThrottlingReasons?: unknown;
  readonly throttlingReasons?: unknown;

  constructor(response: HttpResponse, name: string, message: string) {
    super(message);
    this.name = name;
    this.$fault = response.statusCode < 500 ? "client" : "server";
    this.$response = response;
    this.$metadata = metadataOf(response);
  }
}

/** A condition that did not hold. */
export class ConditionalCheckFailedException extends DynamoDBServiceException {
  /** The item that did not satisfy it, if the call asked for the item and there is one. */
  readonly Item?: object;

  constructor(response: HttpResponse, name: string, message: string, item: object | undefined) {
    super(response, name, message);
    if (item !== undefined) this.Item = item;
  }
}

/**
 * The error that an answer other than a success names.
 *
 * @throws {Error} for a text that is not JSON, or a name that is not text: something between here and DynamoDB has answered.
 */
export function failureIn(response: HttpResponse, text: string): DynamoDBServiceException {
  const document = documentIn(text);
  const message = textIn(document, "message") ?? textIn(document, "Message") ?? "UnknownError";
  // In `__type` as DynamoDB does; a proxy may name the error in `code` or in a header, where the SDK finds it too.
  const name = loadJsonRpcErrorCode(response, document) ?? "Unknown";
  if (name !== "ConditionalCheckFailedException")
    return Object.assign(new DynamoDBServiceException(response, name, message), reasonsIn(document));
  const item = ownMember(document, "Item");
  return new ConditionalCheckFailedException(response, name, message, item as object | undefined);
}

/** By these a limit tells an owner's hot item from a store that is down. */
const reasonsIn = (document: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(document).filter(([name]) => /^throttlingReasons$/i.test(name)));

function textIn(document: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = ownMember(document, name);
  return typeof value === "string" ? value : undefined;
}
