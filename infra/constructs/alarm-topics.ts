import { ArnFormat, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { CfnSubscription, Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { alarmName } from "../alarms/alarm.ts";
import type { Stage } from "../stage.ts";
import { ownKey } from "./own-key.ts";

const cloudWatch = (): ServicePrincipal => new ServicePrincipal("cloudwatch.amazonaws.com");

/** Where alarms are told: everything in one topic, and what needs somebody at once in another. */
export class AlarmTopics extends Construct {
  readonly notices: Topic;
  readonly pages: Topic;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const key = ownKey(this, stage) ?? this.#addKey(stage);
    this.notices = this.#addTopic("Notices", { stage, key, addresses: stage.alarms.notify });
    this.pages = this.#addTopic("Pages", { stage, key, addresses: stage.alarms.page });
  }

  /** A key of the stage's own: the policy of AWS's key for topics lets no alarm use it, and cannot be changed. */
  #addKey(stage: Stage): Key {
    const key = new Key(this, "Key", {
      description: `Topics of the alarms of countinghouse-${stage.name}`,
      enableKeyRotation: true,
      // Nothing that it encrypts is kept.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [cloudWatch()],
        actions: ["kms:Decrypt", "kms:GenerateDataKey*"],
        resources: ["*"],
        conditions: this.#fromAlarmsOf(stage),
      }),
    );
    return key;
  }

  #addTopic(
    name: string,
    { stage, key, addresses }: { stage: Stage; key: IKey; addresses: readonly string[] },
  ): Topic {
    const topic = new Topic(this, name, { masterKey: key, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [cloudWatch()],
        actions: ["sns:Publish"],
        resources: [topic.topicArn],
        conditions: this.#fromAlarmsOf(stage),
      }),
    );
    for (const address of addresses)
      new CfnSubscription(topic, address, { topicArn: topic.topicArn, ...endpointOf(address) });
    return topic;
  }

  /** Alarms of this stage alone: without the condition, those of any account could use the key and the topic. */
  #fromAlarmsOf({ name }: Stage): Record<string, Record<string, string>> {
    const { account } = Stack.of(this);
    const alarms = Stack.of(this).formatArn({
      service: "cloudwatch",
      resource: "alarm",
      resourceName: alarmName(name, "*"),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return { StringEquals: { "aws:SourceAccount": account }, ArnLike: { "aws:SourceArn": alarms } };
  }
}

/** Mail addresses have no scheme in a subscription. */
const endpointOf = (address: string): { protocol: string; endpoint: string } =>
  address.startsWith("mailto:")
    ? { protocol: "email", endpoint: address.slice("mailto:".length) }
    : { protocol: "https", endpoint: address };
