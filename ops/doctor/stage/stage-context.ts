import type { Stage } from "../../../infra/stage.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { OperatorStore } from "../../store/operator-store.ts";

/** A deployed stage, and the ways to look at it. */
export interface StageContext {
  readonly stage: Stage;
  readonly region: string | undefined;
  readonly store: OperatorStore;
  readonly clock: Clock;
  /** The addresses that a name leads to. */
  readonly resolve: (name: string) => Promise<readonly string[]>;
  readonly fetch: typeof fetch;
  /** What each stack says of itself, by the last part of its name; asked once. */
  readonly stack: (part: string) => Promise<StackState>;
}

/** A stack of the stage. */
interface StackState {
  /** Undefined where there is no such stack. */
  readonly status: string | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/** What a client of AWS is made with. */
export const clientOptions = ({ region }: Pick<StageContext, "region">) => ({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  ...(region !== undefined && { region }),
});

/** The command that deploys a stack of the stage. */
export const deployText = (stageName: string, part: string): string =>
  `npx cdk deploy countinghouse-${stageName}-${part} -c stage=${stageName} --exclusively`;

/** Asks CloudFormation for a stack, each only once. */
export function stackReader({
  stage,
  region,
}: Pick<StageContext, "stage" | "region">): StageContext["stack"] {
  const asked = new Map<string, Promise<StackState>>();
  return (part) => {
    const answer = asked.get(part) ?? describeStack(`countinghouse-${stage.name}-${part}`, region);
    asked.set(part, answer);
    return answer;
  };
}

async function describeStack(StackName: string, region: string | undefined): Promise<StackState> {
  const { CloudFormationClient, DescribeStacksCommand } = await import("@aws-sdk/client-cloudformation");
  const client = new CloudFormationClient(clientOptions({ region }));
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    const outputs = (stack?.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [
      OutputKey,
      OutputValue,
    ]);
    return { status: stack?.StackStatus, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message))
      return { status: undefined, outputs: {} };
    throw error;
  } finally {
    client.destroy();
  }
}
