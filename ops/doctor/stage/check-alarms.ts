import { type Found, fail, ok, warn } from "../finding.ts";
import { clientOptions, deployText, type StageContext } from "./stage-context.ts";

/** The topics, by the outputs of the alarms stack. */
const TOPICS = { NoticesTopic: "notify", PagesTopic: "page" } as const;

/** Whether somebody is told when an alarm rings: a subscription counts once its address has confirmed it. */
export async function checkSubscribers(context: StageContext): Promise<readonly Found[]> {
  const { name } = context.stage;
  const { outputs } = await context.stack("alarms");
  const { paginateListSubscriptionsByTopic, SNSClient } = await import("@aws-sdk/client-sns");
  const client = new SNSClient(clientOptions(context));
  const found: Found[] = [];
  try {
    for (const [output, setting] of Object.entries(TOPICS)) {
      const TopicArn = outputs[output as keyof typeof TOPICS];
      if (TopicArn === undefined) {
        found.push(fail(`there is no topic for \`alarms.${setting}\``, `${deployText(name, "alarms")}.`));
        continue;
      }
      const all = [];
      for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn }))
        all.push(...Subscriptions);
      found.push(...judgeTopic(setting, all));
    }
  } finally {
    client.destroy();
  }
  return found;
}

interface Subscription {
  readonly SubscriptionArn?: string | undefined;
  readonly Endpoint?: string | undefined;
}

function judgeTopic(setting: string, all: readonly Subscription[]): readonly Found[] {
  if (all.length === 0)
    return [
      warn(
        `nobody is told: the topic of \`alarms.${setting}\` has no subscriber`,
        `Give \`alarms.${setting}\` an address in the stage's file and deploy the alarms, or subscribe one to the topic.`,
      ),
    ];
  const waiting = all.filter(({ SubscriptionArn = "" }) => !SubscriptionArn.startsWith("arn:"));
  if (waiting.length === 0) return [ok(`\`alarms.${setting}\` has ${all.length} confirmed`)];
  return waiting.map(({ Endpoint = "an address" }) =>
    warn(
      `${Endpoint} has not confirmed its subscription to \`alarms.${setting}\`, and is told nothing`,
      "Confirm it by the message that AWS sent there; after three days, delete the subscription and deploy the alarms again.",
    ),
  );
}
