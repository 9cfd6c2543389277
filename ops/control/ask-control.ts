import * as z from "zod/mini";
import { type ControlAddress, readControlFile } from "../../local/control/control-file.ts";
import type { ControlRoute } from "../../local/control/control-route.ts";
import { commands } from "../../local/installation.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { describeHolder, isElsewhere, readHolder } from "../../local/store/data-lock.ts";

/** The longest that a running service may take to answer. */
const ANSWER_MS_MAX = 60_000;

const refusalSchema = z.object({ message: z.string() });

/**
 * Asks the `npm start` that runs on a data directory.
 *
 * @param data the data directory, as given to `npm start`.
 * @throws {OperatorError} when none runs there, when it cannot be reached, and when it refuses; the message says why.
 */
export async function askControl<Input, Output>(
  data: string,
  route: ControlRoute<Input, Output>,
  input: Input,
): Promise<Output> {
  const address = await findControl(data);
  const response = await post(data, address, route.name, input);
  const body: unknown = await response.json().catch(() => undefined);
  const answer = response.ok ? route.output.safeParse(body) : undefined;
  if (answer?.success) return answer.data;
  const { data: refusal } = refusalSchema.safeParse(body);
  if (response.status === 409 && refusal !== undefined) throw new OperatorError(refusal.message);
  const reason = refusal?.message ?? `it answered ${response.status}`;
  throw new OperatorError(
    `The \`${commands.start}\` of ${data} did not do it: ${reason} If it runs from other sources than this command, start it again.`,
  );
}

/** The address of the service that runs on a data directory now. @throws {OperatorError} when there is none. */
async function findControl(data: string): Promise<ControlAddress> {
  const holder = await readHolder(data);
  if (holder !== undefined && isElsewhere(holder))
    throw new OperatorError(`${data} is in use by ${describeHolder(holder)}. Run this command there.`);
  if (holder?.kind !== "gateway")
    throw new OperatorError(
      `No \`${commands.start}\` runs on ${data}. Start one, or name the directory of the one that runs with --data.`,
    );
  const address = await readControlFile(data);
  if (address?.pid === holder.pid) return address;
  throw new OperatorError(
    `The \`${commands.start}\` of ${data} (process ${holder.pid}) is not ready. Try again in a moment.`,
  );
}

async function post(
  data: string,
  { endpoint, key }: ControlAddress,
  name: string,
  input: unknown,
): Promise<Response> {
  try {
    return await fetch(`${endpoint}/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new OperatorError(
      `The \`${commands.start}\` of ${data} does not answer (${codeOf(cause)}).`,
      error,
    );
  }
}
