import { GetQueueUrlCommand, SQSClient } from "@aws-sdk/client-sqs";
import { type QueueRole, queueName } from "../../infra/queues.ts";
import { readControlFile } from "../../local/control/control-file.ts";
import { clientLimits } from "../../local/store/client-limits.ts";
import { readHolder } from "../../local/store/data-lock.ts";
import { LOCAL_REGION } from "../../local/store/local-account.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import { readStageFile } from "../store/stage-file.ts";
import { environmentRegion, type StoreOptions } from "../store/store-options.ts";
import { explainQueueFault } from "./queue-faults.ts";

/** The options that say which queues a command works on. */
export interface QueueOptions extends StoreOptions {
  /** Address of another SQS than the stage's own, or that of the running service. */
  readonly sqsEndpoint?: string;
}

/** The queues of a stage, for a command to work on. */
export interface OperatorQueues {
  /** Throws an `OperatorError` that says what to do where the queues fail as a whole. */
  readonly client: SQSClient;
  /** The address of a queue. @throws {OperatorError} when there is none. */
  readonly url: (role: QueueRole) => Promise<string>;
  /** Where they are, in messages. */
  readonly name: string;
  readonly close: () => void;
}

/** A long poll may take so long before its answer begins. */
const ANSWER_MS = 25_000;
const LIMITS = {
  requestHandler: { ...clientLimits, requestTimeout: ANSWER_MS, socketTimeout: ANSWER_MS },
} as const;

/** Who signs does not matter to an emulator, and an operator's own credentials are kept from it. */
const ANYBODY = { accessKeyId: "local", secretAccessKey: "local" } as const;

/**
 * Opens the queues that the options name: of `--sqs-endpoint`, of a deployed stage, or of the `npm start` that runs on the
 * data directory. Undefined where there are none: no such service runs, or the stage takes in no records by messages.
 */
export async function openQueues(options: QueueOptions): Promise<OperatorQueues | undefined> {
  const { stage, sqsEndpoint, data } = options;
  if (stage !== undefined) return stageQueues(stage, sqsEndpoint);
  const endpoint = sqsEndpoint ?? (await localEndpoint(data));
  return endpoint === undefined ? undefined : queuesAt(endpoint);
}

/** The endpoint of the service that runs on a data directory now. */
async function localEndpoint(data: string): Promise<string | undefined> {
  const holder = await readHolder(data);
  const address = await readControlFile(data);
  return holder?.kind === "gateway" && address?.pid === holder.pid ? address.queues?.endpoint : undefined;
}

function queuesAt(endpoint: string): OperatorQueues {
  const client = new SQSClient({ ...LIMITS, endpoint, region: LOCAL_REGION, credentials: ANYBODY });
  return withClient(client, LOCAL_STAGE, endpoint);
}

function stageQueues(stageName: string, endpoint: string | undefined): OperatorQueues | undefined {
  const stage = readStageFile(stageName);
  if (stage.ingest === undefined && endpoint === undefined) return undefined;
  const region = stage.region ?? environmentRegion();
  const client = new SQSClient({
    ...LIMITS,
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
  });
  return withClient(client, stage.name, `stage ${stage.name}`);
}

function withClient(client: SQSClient, stageName: string, name: string): OperatorQueues {
  client.middlewareStack.add(
    (next) => (call) =>
      next(call).catch((error: unknown) => {
        throw explainQueueFault(error, name);
      }),
    { step: "initialize", name: "explainFaults" },
  );
  const urls = new Map<QueueRole, Promise<string>>();
  const find = async (role: QueueRole): Promise<string> => {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: queueName(stageName, role) }));
    return QueueUrl as string;
  };
  const url = (role: QueueRole): Promise<string> => {
    const known = urls.get(role) ?? find(role);
    urls.set(role, known);
    return known;
  };
  return { client, url, name, close: () => client.destroy() };
}
