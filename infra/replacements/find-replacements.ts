import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import stackPolicy from "../stack-policy.json" with { type: "json" };

/** The parts of a template that are compared. */
export interface ComparedTemplate {
  readonly Resources?: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
  >;
}

const spec = loadAwsServiceSpecSync();

/** What the stack policy protects; of a domain, a replacement would change the target of its DNS record. */
const protectedTypes: ReadonlySet<string> = new Set([
  ...stackPolicy.Statement.flatMap(({ Condition }) => Condition?.StringEquals.ResourceType ?? []),
  "AWS::ApiGatewayV2::DomainName",
]);

/** The settings that make lasting resources, by the types of these. A stage that has one keeps it. */
const SETTINGS: Readonly<Record<string, string>> = {
  "AWS::Backup::BackupVault": "backup",
  "AWS::DynamoDB::GlobalTable": "a name in tables",
  "AWS::S3::Bucket": "domains.mutualTls",
  "AWS::SQS::Queue": "ingest",
};

/** What deletes a resource, as a sentence. */
function deletionOf(id: string, type: string): string {
  const setting = SETTINGS[type];
  return `${id} (${type}) would be deleted${setting === undefined ? "" : `: ${setting} cannot be taken out of a stage`}.`;
}

/** Whether a change of a property makes CloudFormation replace the resource, or may do so. */
function causesReplacement(type: string, property: string): boolean {
  const resource = spec.lookup("resource", "cloudFormationType", "equals", type).at(0);
  const { causesReplacement: effect = "no" } = resource?.properties[property] ?? {};
  return effect !== "no";
}

/**
 * The tables and other lasting resources of a template that the deployment of another one would replace or delete, as
 * sentences. A resource is known by its logical id, as CloudFormation knows it.
 */
export function findReplacements(before: ComparedTemplate, after: ComparedTemplate): string[] {
  return Object.entries(before.Resources ?? {}).flatMap(([id, { Type, Properties = {} }]) => {
    if (!protectedTypes.has(Type)) return [];
    const next = after.Resources?.[id];
    if (next === undefined || next.Type !== Type) return [deletionOf(id, Type)];
    const names = new Set([...Object.keys(Properties), ...Object.keys(next.Properties ?? {})]);
    return [...names]
      .filter((name) => JSON.stringify(Properties[name]) !== JSON.stringify(next.Properties?.[name]))
      .filter((name) => causesReplacement(Type, name))
      .map((name) => `${id} (${Type}) would be replaced, because its ${name} changes.`);
  });
}
