import { isQueueText } from "../../lib/ingest/queue-text.ts";
import { firstFault } from "../store/first-fault.ts";
import { type MessageAttributeValue, SqsError, type SqsQueue } from "./fauxqs.ts";

/** One message as a caller sends it, alone or in a batch, of the right types. */
export interface GivenMessage {
  readonly MessageBody?: string;
  readonly DelaySeconds?: number;
  readonly MessageAttributes?: Readonly<Record<string, Partial<MessageAttributeValue>>>;
  readonly MessageSystemAttributes?: GivenMessage["MessageAttributes"];
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

const ATTRIBUTES_MAX = 10;
const DELAY_S_MAX = 900;
/** Letters, digits, hyphens, underscores and dots, none of these at an end or beside another. */
const ATTRIBUTE_NAME = /^[\w-]+(?:\.[\w-]+)*$/;
const RESERVED_NAME = /^(?:aws|amazon)\./i;
const LENGTH_MAX = 256;
const DATA_TYPE = /^(String|Number|Binary)(?:\..+)?$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const NUMBER_DIGITS_MAX = 38;
const NUMBER_MIN = -1e128;
const NUMBER_MAX = 1e126;
/** Letters, digits and the punctuation of ASCII. */
const GROUP_ID = /^[!-~]{1,128}$/;

const invalid = (message: string): SqsError => new SqsError("InvalidParameterValue", message);

/** One rule, and the refusal of a message that breaks it. */
type Rule = (given: GivenMessage, queue: SqsQueue) => SqsError | undefined;

const hasBody: Rule = ({ MessageBody = "" }) =>
  MessageBody === ""
    ? new SqsError("MissingParameter", "The request must contain the parameter MessageBody.")
    : undefined;

const bodyText: Rule = ({ MessageBody = "" }) =>
  isQueueText(MessageBody)
    ? undefined
    : new SqsError(
        "InvalidMessageContents",
        "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
      );

const delay: Rule = ({ DelaySeconds = 0 }) =>
  DelaySeconds >= 0 && DelaySeconds <= DELAY_S_MAX
    ? undefined
    : invalid(
        `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${DELAY_S_MAX}.`,
      );

const attributeCount: Rule = ({ MessageAttributes = {} }) => {
  const count = Object.keys(MessageAttributes).length;
  return count > ATTRIBUTES_MAX
    ? invalid(`Number of message attributes [${count}] exceeds the allowed maximum [${ATTRIBUTES_MAX}].`)
    : undefined;
};

const attributeRules: Rule = ({ MessageAttributes = {} }) =>
  firstFault(
    Object.entries(MessageAttributes),
    ([name, value]) => nameFault(name) ?? valueFault(name, value),
  );

function nameFault(name: string): SqsError | undefined {
  if (RESERVED_NAME.test(name))
    return invalid("Message attribute name can not start with AWS. or Amazon., in any letter case.");
  if (ATTRIBUTE_NAME.test(name) && name.length <= LENGTH_MAX) return undefined;
  return invalid(
    `Message attribute name must have 1 to ${LENGTH_MAX} letters, digits, _, - and ., and no . at an end or beside another.`,
  );
}

function valueFault(name: string, given: Partial<MessageAttributeValue>): SqsError | undefined {
  const { DataType = "", StringValue = "", BinaryValue = "" } = given;
  const type = DATA_TYPE.exec(DataType)?.[1];
  if (type === undefined || DataType.length > LENGTH_MAX || !isQueueText(DataType))
    return invalid(
      `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.`,
    );
  const value = type === "Binary" ? BinaryValue : StringValue;
  if (value === "")
    return invalid(
      `Message attribute '${name}' must contain a non-empty value of type ${type}, in ${type === "Binary" ? "BinaryValue" : "StringValue"}.`,
    );
  if (type !== "Binary" && !isQueueText(value))
    return invalid(`Invalid characters were found in the value of the message attribute '${name}'.`);
  if (type === "Number" && !isNumber(value))
    return invalid(`Can not parse the value of the message attribute '${name}' as a number.`);
  return undefined;
}

/** Up to 38 digits, from -10^128 to 10^126. */
function isNumber(text: string): boolean {
  const digits = text.replace(/e.*$/i, "").replace(/\D/g, "").replace(/^0+/, "");
  const value = Number(text);
  return (
    NUMBER.test(text) && digits.length <= NUMBER_DIGITS_MAX && value >= NUMBER_MIN && value <= NUMBER_MAX
  );
}

const systemAttributes: Rule = ({ MessageSystemAttributes = {} }) => {
  const strange = Object.keys(MessageSystemAttributes).some((name) => name !== "AWSTraceHeader");
  if (strange) return invalid("The one message system attribute that can be sent is AWSTraceHeader.");
  const header = MessageSystemAttributes.AWSTraceHeader;
  if (header === undefined) return undefined;
  return header.DataType === "String"
    ? valueFault("AWSTraceHeader", header)
    : invalid("The message system attribute AWSTraceHeader must be a String.");
};

const group: Rule = ({ MessageGroupId, MessageDeduplicationId }) => {
  if (MessageDeduplicationId !== undefined)
    return invalid("MessageDeduplicationId is not valid for this queue type: a standard queue has none.");
  return MessageGroupId === undefined || GROUP_ID.test(MessageGroupId)
    ? undefined
    : invalid("MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.");
};

const size: Rule = (given, { attributes }) => {
  const bytesMax = Number(attributes.MaximumMessageSize);
  return sizeOf(given) > bytesMax
    ? invalid(`One or more parameters are invalid. Reason: Message must be shorter than ${bytesMax} bytes.`)
    : undefined;
};

const RULES: readonly Rule[] = [
  hasBody,
  bodyText,
  delay,
  attributeCount,
  attributeRules,
  systemAttributes,
  group,
  size,
];

/** The first rule that a message breaks; undefined for one that the queue takes. */
export const faultOf = (given: GivenMessage, queue: SqsQueue): SqsError | undefined =>
  firstFault(RULES, (rule) => rule(given, queue));

/** The bytes that count for the limits: body, and the names, types and values of attributes. */
export function sizeOf({ MessageBody = "", MessageAttributes = {} }: GivenMessage): number {
  const texts = Object.entries(MessageAttributes).flatMap(
    ([name, { DataType = "", StringValue = "", BinaryValue = "" }]) => [
      name,
      DataType,
      StringValue,
      BinaryValue,
    ],
  );
  return [MessageBody, ...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
