import { tables } from "../../../lib/dynamo/tables.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../../local/store/local-account.ts";
import { type Template, type TemplateResource, textOf } from "../synthesize.ts";

export interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The logical ids that a value refers to. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "Ref") return [String(inner)];
    if (key === "Fn::GetAtt") return [String((inner as readonly unknown[])[0])];
    return referencesIn(inner);
  });
}

/** Which of the resources that CloudFormation may make next is made first: it makes all of them at once. */
export type Haste = "permissions first" | "functions first";

const HURRIED: Readonly<Record<Haste, RegExp>> = {
  "permissions first": /^AWS::IAM::/,
  "functions first": /^AWS::(?:Lambda|ApiGatewayV2)::/,
};

const orders: Readonly<Record<Haste, WeakMap<Template, readonly string[]>>> = {
  "permissions first": new WeakMap(),
  "functions first": new WeakMap(),
};

/**
 * The resources of a template in an order that CloudFormation may make them in, each after those that it refers to or
 * depends on (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-dependson.html).
 */
export function inOrder(template: Template, haste: Haste): readonly string[] {
  const known = orders[haste].get(template);
  if (known !== undefined) return known;
  const { Resources } = template;
  const needs = new Map(
    Object.entries(Resources).map(([id, { Properties, UpdatePolicy, DependsOn = [] }]) => [
      id,
      [...DependsOn, ...referencesIn([Properties, UpdatePolicy])].filter((other) => other in Resources),
    ]),
  );
  const order = new Set<string>();
  while (order.size < needs.size) {
    const ready = [...needs.keys()].filter(
      (id) => !order.has(id) && needs.get(id)?.every((other) => order.has(other)),
    );
    const next = ready.find((id) => HURRIED[haste].test(Resources[id]?.Type ?? "")) ?? ready[0];
    if (next === undefined) throw new Error("The template's resources depend on one another in a circle.");
    order.add(next);
  }
  orders[haste].set(template, [...order]);
  return [...order];
}

/** What a resource of the data is called in the account; other resources need no name here. */
export const nameOf = ({ Properties }: TemplateResource): unknown =>
  Properties?.TableName ?? Properties?.QueueName ?? Properties?.BucketName ?? Properties?.BackupVaultName;

/** A wildcard also matches slashes (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html). */
const matches = (pattern: string, text: string): boolean =>
  pattern === text ||
  (pattern.includes("*") &&
    new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(text));

/** The condition of a statement that has none. */
export const ALWAYS = "always";

const allows = ({ Action, Resource }: Statement, action: string, resource: string): boolean =>
  [Action].flat().includes(action) && [Resource].flat().some((pattern) => matches(textOf(pattern), resource));

/** The conditions under which statements allow an action on a resource, as text. */
export const conditionsFor = (
  statements: readonly Statement[],
  action: string,
  resource: string,
): readonly string[] =>
  statements
    .filter((statement) => allows(statement, action, resource))
    .map(({ Condition }) => (Condition === undefined ? ALWAYS : JSON.stringify(Condition)));

/** The statements of a role's policies. */
export const statementsOf = (role: string, resources: Iterable<TemplateResource>): readonly Statement[] =>
  [...resources]
    .filter(({ Type, Properties }) => Type === "AWS::IAM::Policy" && Properties.Roles[0]?.Ref === role)
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement as Statement[]);

/** The actions of one service that statements name. */
export const actionsOf = (statements: readonly Statement[], service: string): readonly string[] => [
  ...new Set(statements.flatMap(({ Action }) => Action).filter((action) => action.startsWith(`${service}:`))),
];

/** A table, queue or bucket that a function works with, and what a permission for it may name. */
export interface Thing {
  readonly service: "dynamodb" | "s3" | "sqs";
  readonly name: string;
  readonly arns: readonly string[];
}

const indexes = new Set(Object.values(tables).flatMap(({ indexes: of }) => of.map(({ name }) => name)));
const regional = (service: string, resource: string) =>
  `arn:aws:${service}:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${resource}`;

function tableOf(name: string): Thing {
  const arn = regional("dynamodb", `table/${name}`);
  return { service: "dynamodb", name, arns: [arn, ...[...indexes].map((index) => `${arn}/index/${index}`)] };
}

const queueOf = (name: string): Thing => ({ service: "sqs", name, arns: [regional("sqs", name)] });

function thingAt(address: string): Thing {
  const { hostname, pathname } = new URL(address.replaceAll("${AWS::URLSuffix}", "amazonaws.com"));
  if (hostname.startsWith("sqs.")) return queueOf(pathname.split("/").at(-1) ?? "");
  const [name = ""] = hostname.split(".");
  return { service: "s3", name, arns: [`arn:aws:s3:::${name}${pathname}`] };
}

/** Everything that a function's environment names, and the queue that it is called for. */
export function thingsOf(functionId: string, { Resources }: Template): Thing[] {
  const variables = Object.entries(Resources[functionId]?.Properties.Environment?.Variables ?? {});
  const sources = Object.values(Resources)
    .filter(({ Type }) => Type === "AWS::Lambda::EventSourceMapping")
    .filter(({ Properties }) =>
      referencesIn(Resources[referencesIn(Properties.FunctionName)[0] ?? ""]).includes(functionId),
    )
    .map(({ Properties }) => queueOf(Properties.EventSourceArn.split(":").at(-1)));
  return [
    ...variables.flatMap(([name, value]) => {
      if (name.endsWith("_TABLE")) return [tableOf(textOf(value))];
      return /^(?:REJECTED_QUEUE|TRUSTSTORE)_URL$/.test(name) ? [thingAt(textOf(value))] : [];
    }),
    ...sources,
  ];
}

interface Served {
  readonly domains: Template;
  readonly api: Template;
}

/** Where callers, queues and schedules reach a function that is there. */
export function addressesOf({ domains, api }: Served): Set<string> {
  const all = Object.values(api.Resources);
  const of = (type: string) => all.filter(({ Type }) => Type === type);
  const isThere = (value: unknown): boolean => referencesIn(value).every((id) => id in api.Resources);
  const names = Object.values(domains.Resources).map(({ Properties }) => Properties.DomainName);
  const mapped = of("AWS::ApiGatewayV2::ApiMapping")
    .filter(({ Properties }) => isThere(Properties) && names.includes(Properties.DomainName))
    .map(({ Properties }) => `https://${Properties.DomainName}/${Properties.ApiMappingKey ?? ""}`);
  const own = of("AWS::ApiGatewayV2::Api").filter(
    ({ Properties }) =>
      Properties.DisableExecuteApiEndpoint !== true && of("AWS::ApiGatewayV2::Stage").length > 0,
  );
  return new Set([
    ...mapped,
    ...own.map(() => "the gateway's own address"),
    ...of("AWS::Lambda::EventSourceMapping")
      .filter(({ Properties }) => isThere(Properties))
      .map(({ Properties }) => String(Properties.EventSourceArn)),
    ...all
      .filter(({ Properties }) => Properties.ScheduleExpression !== undefined && isThere(Properties))
      .map(({ Properties }) => String(Properties.ScheduleExpression)),
  ]);
}
