import * as sdk from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { type ApiType, REQUESTS, STRUCTURES } from "../../../../local/store/rules/api-types.ts";
import { membersFault } from "../../../../local/store/rules/type-fault.ts";
import { STORE_OPERATIONS } from "../../../../local/store/wire.ts";

/** The SDK's own description of the API: numbers stand for simple types, lists begin with the kind of the type. */
type SdkType = number | (() => SdkType) | readonly unknown[];

const LIST = 64;
const MAP = 128;
const SIMPLE: Readonly<Record<number, string>> = { 0: "String", 1: "Number", 2: "Boolean", 21: "Blob" };

/** A type as text, with a structure as its members' types, so that the SDK's types and ours can be compared. */
function sdkText(type: SdkType, within: readonly unknown[] = []): string {
  if (typeof type === "function") return sdkText(type(), within);
  if (typeof type === "number") {
    if ((type & MAP) !== 0) return `{${sdkText(type & ~MAP)}}`;
    return (type & LIST) !== 0 ? `[${sdkText(type & ~LIST)}]` : (SIMPLE[type] ?? `unknown ${type}`);
  }
  const [kind, , name] = type;
  if (kind === 0 || kind === 1)
    return kind === 0 ? sdkText(type[4] as SdkType, within) : `[${sdkText(type[4] as SdkType, within)}]`;
  if (kind === 2) return `{${sdkText(type[5] as SdkType, within)}}`;
  if (within.includes(name)) return String(name);
  const [members, types] = [type[4] as readonly string[], type[5] as readonly SdkType[]];
  return text(members.map((member, at) => [member, sdkText(types[at] as SdkType, [...within, name])]));
}

function ownText(type: ApiType, within: readonly unknown[] = []): string {
  if (typeof type !== "string")
    return "of" in type ? `{${ownText(type.of, within)}}` : `[${ownText(type[0], within)}]`;
  if (type === "Integer" || type === "Long") return "Number";
  if (!Object.hasOwn(STRUCTURES, type) || within.includes(type)) return type;
  return membersText(STRUCTURES[type as keyof typeof STRUCTURES], [...within, type]);
}

const membersText = (members: Readonly<Record<string, ApiType>>, within: readonly unknown[]): string =>
  text(Object.entries(members).map(([name, type]) => [name, ownText(type, within)]));

const text = (members: readonly (readonly string[])[]): string =>
  members
    .map(([name, type]) => `${name}: ${type}`)
    .toSorted()
    .join("; ");

describe("the types of the API", () => {
  test.each(STORE_OPERATIONS)("%s has the members and types that AWS's own SDK sends", (operation) => {
    const schema = (sdk as unknown as Record<string, readonly unknown[]>)[`${operation}$`];
    expect(membersText(REQUESTS[operation], [])).toBe(sdkText(schema?.[4] as SdkType));
  });
});

describe("the types of members", () => {
  test("of two wrong ones, the first in the request is reported", () => {
    expect(membersFault({ Limit: "5", IndexName: 5 }, REQUESTS.Scan)?.message).toContain("Integer");
    expect(membersFault({ IndexName: 5, Limit: "5" }, REQUESTS.Scan)?.message).toContain("String");
  });

  test("unknown members are ignored, whatever their names", () => {
    const input = JSON.parse(
      '{"__proto__":5,"constructor":[5],"Unknown":{"S":5},"Key":{"a":{"S":"x","toString":5}}}',
    );
    expect(membersFault(input, REQUESTS.GetItem)).toBeUndefined();
  });

  test("a value of any depth is checked without a stack overflow", () => {
    let value: object = { S: 1 };
    for (let level = 0; level < 100_000; level += 1) value = { L: [value] };
    expect(membersFault({ Item: { a: value } }, REQUESTS.PutItem)).toBeUndefined();
  });

  test("a value of the greatest sound depth is checked to its end", () => {
    const deep = (levels: number): object => (levels === 1 ? { S: 1 } : { L: [deep(levels - 1)] });
    expect(membersFault({ Item: { a: deep(32) } }, REQUESTS.PutItem)?.kind).toBe("type");
  });
});
