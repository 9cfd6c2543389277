import type { Members } from "../json-value.ts";
import { ownMember } from "../own-member.ts";

/** Something that wraps messages on their way, how it is recognised, and what sends them bare. */
interface Wrapper {
  readonly name: string;
  readonly setting: string;
  readonly isAround: (document: unknown, body: string) => boolean;
}

const member = (document: unknown, name: string): unknown => ownMember(Object(document) as Members, name);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const WRAPPERS: readonly Wrapper[] = [
  {
    name: "SNS",
    setting: "set RawMessageDelivery of the subscription to true",
    isAround: (document) =>
      typeof member(document, "Message") === "string" && typeof member(document, "Type") === "string",
  },
  {
    name: "EventBridge",
    setting: "give the rule's target the InputPath $.detail",
    isAround: (document) =>
      member(document, "detail") !== undefined && member(document, "detail-type") !== undefined,
  },
  {
    name: "the extended client of SQS, which left it in S3",
    setting: "send at most 240 KiB, with the client's alwaysThroughS3 off",
    isAround: (document) => Array.isArray(document) && textOf(document[0]).endsWith("S3Pointer"),
  },
  {
    name: "CloudEvents",
    setting: "send the event's data alone",
    isAround: (document) => typeof member(document, "specversion") === "string",
  },
  {
    name: "a second encoding as JSON",
    setting: "encode the object once",
    isAround: (document) => textOf(document).trimStart().startsWith("{"),
  },
  {
    name: "an encoding in Base64",
    setting: "send its text as it is",
    // The Base64 of a brace, by itself or before a quote, a space or a line end.
    isAround: (document, body) => document === undefined && /^(?:ey|ew)[\w+/-]+={0,2}$/.test(body),
  },
];

/** What wraps a message, and what sends it bare; undefined for a text that no known wrapper makes. It repeats no value. */
export function wrapperOf(body: string, document: unknown): string | undefined {
  const wrapper = WRAPPERS.find(({ isAround }) => isAround(document, body));
  return wrapper && `the message is wrapped by ${wrapper.name}: ${wrapper.setting}`;
}
