import { expect, test } from "vitest";
import type { SqsQueue } from "../../../../local/queue/fauxqs.ts";
import { faultOf } from "../../../../local/queue/message-rules.ts";
import { groupOf } from "../../../../ops/queue/message-group.ts";

const queue = { attributes: { MaximumMessageSize: "262144" } } as unknown as SqsQueue;

test("messages of one kind and owner have one group, others another, and SQS takes each", () => {
  const owners = ["acme", "a b", "a/b", "株式会社", "x".repeat(256), "x".repeat(255)];
  const groups = [
    groupOf({ kind: "pass" }),
    groupOf({ kind: "trade", owner: "BTC-USD" }),
    groupOf({ kind: "transaction", owner: "BTC-USD" }),
    ...owners.map((owner) => groupOf({ kind: "transaction", owner })),
  ];
  expect(new Set(groups).size).toBe(groups.length);
  for (const MessageGroupId of groups)
    expect(faultOf({ MessageBody: "{}", MessageGroupId }, queue)).toBeUndefined();
  expect(groupOf({ kind: "trade", owner: "BTC-USD", revision: 1 })).toBe("trade/BTC-USD");
});
