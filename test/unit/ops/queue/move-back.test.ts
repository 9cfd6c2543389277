import type { SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { OperatorError } from "../../../../local/process/operator-error.ts";
import { moveBack } from "../../../../ops/queue/move-back.ts";
import type { OperatorQueues } from "../../../../ops/queue/queue-client.ts";
import { sendBatch } from "../../../../ops/queue/send-batch.ts";

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Queues whose answers a test writes; it has a list of the calls. */
function scripted(answer: (call: Call, number: number) => unknown) {
  const calls: Call[] = [];
  const send = async (command: { readonly input: Call["input"] }) => {
    const { input } = command;
    const call = { name: command.constructor.name.replace(/Command$/, ""), input };
    calls.push(call);
    return answer(call, calls.filter(({ name }) => name === call.name).length);
  };
  const queues: OperatorQueues = {
    client: { send } as unknown as SQSClient,
    url: async (role) => `https://sqs.example/${role}`,
    name: "the test's queues",
    close: () => {},
  };
  return { queues, calls };
}

const ARN = "arn:aws:sqs:eu-west-1:1:dead";
const attributes = { Attributes: { QueueArn: ARN } };
const task = (Status: string, moved: number, more: object = {}) => ({
  Results: [
    { Status, ApproximateNumberOfMessagesMoved: moved, ApproximateNumberOfMessagesToMove: 12, ...more },
  ],
});
const start = (queues: OperatorQueues, stop = new AbortController()) => {
  const progress: string[] = [];
  const onProgress = (moved: number, total: number) => void progress.push(`${moved}/${total}`);
  const result = moveBack(queues, 12, { onProgress, stop: stop.signal, wait: async () => {} });
  return { result, progress, stop };
};

describe("on SQS itself, dead messages are moved by a task", () => {
  it("which is started once and watched to its end", async () => {
    const { queues, calls } = scripted(({ name }, number) => {
      if (name === "GetQueueAttributes") return attributes;
      if (name === "StartMessageMoveTask") return { TaskHandle: "x" };
      return [{ Results: [] }, task("RUNNING", 0), task("RUNNING", 7), task("COMPLETED", 12)][number - 1];
    });
    const { result, progress } = start(queues);
    expect(await result).toEqual({ moved: 12, left: 0 });
    expect(progress).toEqual(["0/12", "7/12", "12/12"]);
    expect(calls.filter(({ name }) => name === "StartMessageMoveTask")).toEqual([
      { name: "StartMessageMoveTask", input: { SourceArn: ARN } },
    ]);
  });

  it("and one that runs already is watched, not started again", async () => {
    const { queues, calls } = scripted(({ name }, number) =>
      name === "GetQueueAttributes" ? attributes : number < 3 ? task("RUNNING", 3) : task("COMPLETED", 12),
    );
    expect(await start(queues).result).toEqual({ moved: 12, left: 0 });
    expect(calls.map(({ name }) => name)).not.toContain("StartMessageMoveTask");
  });

  it("and one that fails is told with its reason and how far it came", async () => {
    const { queues } = scripted(({ name }, number) => {
      if (name === "GetQueueAttributes") return attributes;
      if (name === "StartMessageMoveTask") return {};
      return number === 1 ? { Results: [] } : task("FAILED", 4, { FailureReason: "AccessDenied" });
    });
    await expect(start(queues).result).rejects.toThrow(/AccessDenied.*4 of about 12/);
  });

  it("and after Ctrl-C it is left to go on", async () => {
    const stop = new AbortController();
    const { queues } = scripted(({ name }, number) => {
      if (name === "GetQueueAttributes") return attributes;
      if (number === 3) stop.abort();
      return name === "StartMessageMoveTask" ? {} : task("RUNNING", number);
    });
    expect(await start(queues, stop).result).toEqual({ moved: 3, left: 9 });
  });

  it("and a call that is refused is not taken for one that the endpoint does not know", async () => {
    const { queues } = scripted(({ name }) => {
      if (name === "GetQueueAttributes") return attributes;
      throw new OperatorError("not allowed");
    });
    await expect(start(queues).result).rejects.toThrow("not allowed");
  });
});

describe("where the endpoint has no such tasks, each message is sent before it is deleted", () => {
  const unknown = Object.assign(new Error("no"), { name: "UnsupportedOperation" });
  const received = {
    Messages: ["a", "b", "c"].map((id) => ({
      MessageId: id,
      ReceiptHandle: id,
      Body: id,
      Attributes: { MessageGroupId: `transaction/${id}` },
    })),
  };

  /** An endpoint that stops answering at its n-th call. */
  const dying = (at: number) => {
    const kept = new Set(["a", "b", "c"]);
    const sent: string[] = [];
    const groups: string[] = [];
    let made = 0;
    const script = scripted(({ name, input }, number) => {
      if (name === "GetQueueAttributes") return attributes;
      if (name === "ListMessageMoveTasks") throw unknown;
      made += 1;
      if (made === at) throw new Error("killed");
      const entries = (input.Entries ?? []) as Record<
        "MessageBody" | "MessageGroupId" | "ReceiptHandle",
        string
      >[];
      if (name === "ReceiveMessage") return number === 1 ? received : {};
      if (name === "SendMessageBatch") {
        sent.push(...entries.map(({ MessageBody }) => MessageBody));
        groups.push(...entries.map(({ MessageGroupId }) => MessageGroupId));
      }
      if (name === "DeleteMessageBatch") for (const { ReceiptHandle } of entries) kept.delete(ReceiptHandle);
      return {};
    });
    return { ...script, kept, sent, groups };
  };

  it.each([1, 2, 3, 4, 5, 6])("so that none is lost when everything ends at call %d", async (at) => {
    const { queues, kept, sent } = dying(at);
    await start(queues).result.catch(() => {});
    for (const id of ["a", "b", "c"]) expect(kept.has(id) || sent.includes(id)).toBe(true);
  });

  it("and all are moved in their groups when nothing ends", async () => {
    const { queues, kept, sent, groups } = dying(0);
    expect(await start(queues).result).toMatchObject({ moved: 3, left: 0 });
    expect([...kept]).toEqual([]);
    expect(sent).toEqual(["a", "b", "c"]);
    expect(groups).toEqual(["transaction/a", "transaction/b", "transaction/c"]);
  });
});

describe("a batch of messages", () => {
  const messages = ["a", "b", "c"].map((body) => ({ body }));
  const failed = (Id: string, SenderFault: boolean) => ({ Id, SenderFault, Code: "Busy", Message: "later" });

  it("is sent again for the messages that SQS could not take, and for no others", async () => {
    const { queues, calls } = scripted((_, number) =>
      number === 1 ? { Failed: [failed("1", false), failed("2", true)] } : {},
    );
    const pauses: number[] = [];
    const results = await sendBatch(queues, messages, undefined, async (ms) => void pauses.push(ms));
    expect(results).toEqual([undefined, undefined, failed("2", true)]);
    expect(
      calls.map(({ input }) => (input.Entries as { MessageBody: string }[]).map((one) => one.MessageBody)),
    ).toEqual([["a", "b", "c"], ["b"]]);
    expect(pauses).toEqual([200]);
  });

  it("is given up after eight attempts", async () => {
    const { queues, calls } = scripted(() => ({ Failed: [failed("0", false)] }));
    const results = await sendBatch(queues, messages.slice(0, 1), undefined, async () => {});
    expect(results).toEqual([failed("0", false)]);
    expect(calls).toHaveLength(8);
  });
});
