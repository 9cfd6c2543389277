import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import { findReplacements } from "../../../infra/replacements/find-replacements.ts";
import type { Synthesis, Template, TemplateResource } from "../synthesize.ts";
import {
  ALWAYS,
  actionsOf,
  addressesOf,
  conditionsFor,
  type Haste,
  inOrder,
  nameOf,
  referencesIn,
  type Statement,
  statementsOf,
  type Thing,
  thingsOf,
} from "./template.ts";

const spec = loadAwsServiceSpecSync();

export type Part = "data" | "domains" | "api";

/** A table, queue, bucket or vault of the account, in whichever stack it is. */
interface Kept {
  isManaged: boolean;
  /** Whether what is served from it is there: a table that CloudFormation makes is empty. */
  hasRecords: boolean;
  /** The operator's keys that what is in it is encrypted with; AWS's own need no permission. */
  keys: readonly string[];
  resource: TemplateResource | undefined;
}

/** A version keeps its code and environment; of its role, it only has the name (https://docs.aws.amazon.com/lambda/latest/dg/configuration-versions.html). */
interface Version {
  readonly functionId: string;
  readonly role: string;
  readonly things: readonly Thing[];
  readonly needs: readonly Need[];
}

interface Need {
  readonly action: string;
  readonly resource: string;
  readonly condition: string;
}

export interface DeployOptions {
  readonly parts?: readonly Part[];
  /** Whether things of the account are taken into the stack: by `--import-existing-resources`, or one by one by `cdk import`. */
  readonly adopts?: "named" | "each";
  /** Whether `infra/stack-policy.json` holds for the data. */
  readonly isGuarded?: boolean;
  /** Whether the deployment of each stack first fails after each of its changes, and is taken back each time. */
  readonly stumbles?: boolean;
}

/** Refused before anything is changed, or failed and taken back. */
export class Refused extends Error {}

const TABLE = "AWS::DynamoDB::GlobalTable";
const EMPTY: Template = { Resources: {} };
const ALL: readonly Part[] = ["data", "domains", "api"];

/** Whether a name is that of a restored table. */
export const isCopy = (name: unknown): name is string => typeof name === "string" && /-r\d+$/.test(name);

const retains = ({ DeletionPolicy = "Delete" }: TemplateResource): boolean =>
  DeletionPolicy.startsWith("Retain");

const isProtected = ({ Properties }: TemplateResource): boolean =>
  Properties?.Replicas?.[0]?.DeletionProtectionEnabled === true;

const keysOf = (resource: TemplateResource | undefined): readonly string[] => {
  const { KmsMasterKeyId, Replicas } = resource?.Properties ?? {};
  return [KmsMasterKeyId ?? Replicas?.[0]?.SSESpecification?.KMSMasterKeyId].filter(
    (key) => key !== undefined,
  );
};

/**
 * Only what stays when its stack goes is adopted, and has its first identifier in the template
 * (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html).
 */
const isAdoptable = (resource: TemplateResource): boolean =>
  retains(resource) &&
  spec
    .lookup("resource", "cloudFormationType", "equals", resource.Type)
    .at(0)
    ?.primaryIdentifier?.every((name) => typeof resource.Properties[name] === "string") === true;

const contents = new WeakMap<TemplateResource, string>();

/** A resource as far as CloudFormation changes it. */
function contentOf(resource: TemplateResource | undefined): string {
  if (resource === undefined) return "";
  const { Type, Properties, UpdatePolicy } = resource;
  const content = contents.get(resource) ?? JSON.stringify([Type, Properties, UpdatePolicy]);
  contents.set(resource, content);
  return content;
}

const versions = new WeakMap<TemplateResource, Version>();

/** A version of a function as a template makes it, with everything that the template's own policy allows on what its environment names. */
function versionOf(functionId: string, template: Template): Version {
  const resource = template.Resources[functionId];
  const known = resource && versions.get(resource);
  if (resource === undefined || known !== undefined)
    return known ?? { functionId, role: "", things: [], needs: [] };
  const role = referencesIn(resource.Properties.Role)[0] ?? "";
  const things = thingsOf(functionId, template);
  const statements = statementsOf(role, Object.values(template.Resources));
  const needs = things.flatMap(({ service, arns }) =>
    arns.flatMap((arn) =>
      actionsOf(statements, service).flatMap((action) =>
        conditionsFor(statements, action, arn).map((condition) => ({ action, resource: arn, condition })),
      ),
    ),
  );
  const version = { functionId, role, things, needs };
  versions.set(resource, version);
  return version;
}

const refusals = new WeakMap<Version, Map<Statement | undefined, readonly string[]>>();

/** What a version needs and the statements of its role do not allow. They all come from one policy, so the first stands for them. */
function refusalsOf(version: Version, statements: readonly Statement[]): readonly string[] {
  const known = refusals.get(version) ?? new Map<Statement | undefined, readonly string[]>();
  const refused =
    known.get(statements[0]) ??
    version.needs
      .filter(({ action, resource, condition }) => {
        const found = conditionsFor(statements, action, resource);
        return !found.includes(condition) && !found.includes(ALWAYS);
      })
      .map(({ action, resource }) => `may not ${action} on ${resource}`);
  refusals.set(version, known.set(statements[0], refused));
  return refused;
}

/**
 * The account of one stage, as CloudFormation and Lambda are documented to change it: the order of changes, and what
 * may be done by whom at each moment. It knows nothing of time, and nothing of what a resource does.
 */
export class Account {
  /** What was wrong at some moment, each once. */
  readonly findings = new Set<string>();
  /** Whether anybody was ever answered, and so has records somewhere. */
  #hasServed = false;
  readonly #haste: Haste;
  readonly #deployed: Record<Part, Template> = { data: EMPTY, domains: EMPTY, api: EMPTY };
  readonly #live: Record<Part, Map<string, TemplateResource>> = {
    data: new Map(),
    domains: new Map(),
    api: new Map(),
  };
  readonly #kept = new Map<string, Kept>();
  readonly #published = new Map<string, Version>();
  /** The version that each alias leads to. */
  readonly #served = new Map<string, Version>();
  /** Versions that served once: somebody may go back to them. */
  readonly #earlier = new Set<Version>();
  /** Addresses that must answer all the time. */
  #promised: ReadonlySet<string> = new Set();

  constructor(haste: Haste) {
    this.#haste = haste;
  }

  /**
   * Deploys stacks in their order, the data first.
   *
   * @throws {Refused} when a deployment is refused or taken back; those after it are not begun.
   */
  deploy(next: Synthesis, { parts = ALL, stumbles = false, ...options }: DeployOptions = {}): void {
    for (const name of next.lookups.flatMap((props) => Object.values(props as object)))
      if (isCopy(name) && !this.#kept.has(name)) throw new Refused(`There is no ${name}.`);
    const before = this.addresses();
    const after = addressesOf(next);
    this.#promised = new Set([...before].filter((address) => after.has(address)));
    for (const part of parts) {
      const changes = stumbles
        ? inOrder(next[part], this.#haste).filter((id) => this.#differs(part, id, next[part]))
        : [];
      for (const at of changes.keys()) this.#stumble(part, next[part], options, at + 1);
      this.#change(part, next[part], options);
    }
    for (const address of before)
      if (parts.includes("api") && !after.has(address)) this.findings.add(`closes: ${address}`);
    this.use();
  }

  /** Callers write and read: what is served has records, and messages come in with the key of then. */
  use(): void {
    for (const version of this.#served.values()) {
      this.#hasServed = true;
      this.#earlier.add(version);
      for (const kept of this.#keptOf(version)) {
        kept.hasRecords = true;
        kept.keys = [...new Set([...kept.keys, ...keysOf(kept.resource)])];
      }
    }
  }

  /** Waits until no message of before is left. */
  drain(): void {
    for (const kept of this.#kept.values()) kept.keys = keysOf(kept.resource);
  }

  /** `aws dynamodb restore-table-to-point-in-time`: a table with records and the key of its source, in no stack. */
  restore(name: string): void {
    const keys = this.#kept.get(name.replace(/-r\d+$/, ""))?.keys ?? [];
    this.#kept.set(name, { isManaged: false, hasRecords: true, keys, resource: undefined });
  }

  /** `aws lambda update-alias`, of each function to the version before the one that serves. */
  takeBackByHand(): void {
    for (const [alias, version] of this.#served) {
      const versions = [...this.#earlier].filter(({ functionId }) => functionId === version.functionId);
      const earlier = versions[versions.indexOf(version) - 1];
      if (earlier !== undefined) this.#served.set(alias, earlier);
    }
    for (const resource of this.#live.api.values()) this.#look(resource);
  }

  /** `aws cloudformation delete-stack`, after its protection is lifted. */
  delete(part: Part): void {
    this.#promised = this.addresses();
    for (const id of inOrder(this.#deployed[part], this.#haste).toReversed()) this.#remove(part, id);
    this.#deployed[part] = EMPTY;
  }

  /** Where callers, producers and schedules reach a function that is there. */
  addresses(): Set<string> {
    const [domains, api] = [this.#live.domains, this.#live.api].map((live) => Object.fromEntries(live));
    return addressesOf({ domains: { Resources: domains ?? {} }, api: { Resources: api ?? {} } });
  }

  #differs(part: Part, id: string, { Resources }: Template): boolean {
    return contentOf(this.#live[part].get(id)) !== contentOf(Resources[id]);
  }

  /**
   * One deployment of a stack: what is new or changed, in order; then what is no longer there. After a failure, what was
   * changed is changed back in the order of the earlier template, and what was made goes
   * (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html).
   */
  #change(
    part: Part,
    next: Template,
    { isGuarded = true, adopts }: DeployOptions,
    failsAfter?: number,
  ): void {
    const earlier = this.#deployed[part];
    if (part === "data" && isGuarded) {
      const [sentence] = findReplacements(earlier, next);
      if (sentence !== undefined) throw new Refused(`The stack policy refuses it. ${sentence}`);
    }
    const todo = inOrder(next, this.#haste).filter((id) => this.#differs(part, id, next));
    const made = new Set<string>();
    try {
      for (const [at, id] of todo.entries()) {
        if (!this.#live[part].has(id)) made.add(id);
        this.#apply(part, id, next, adopts);
        if (at + 1 === failsAfter) throw new Refused("The deployment failed.");
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const id of inOrder(earlier, this.#haste))
        if (this.#differs(part, id, earlier)) this.#apply(part, id, earlier);
      for (const id of [...made].toReversed()) this.#remove(part, id, true);
      throw error;
    }
    for (const id of inOrder(earlier, this.#haste).toReversed())
      if (!(id in next.Resources)) this.#remove(part, id);
    this.#deployed[part] = next;
  }

  #stumble(part: Part, next: Template, options: DeployOptions, failsAfter: number): void {
    try {
      this.#change(part, next, options, failsAfter);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  #apply(part: Part, id: string, template: Template, adopts?: "named" | "each"): void {
    const resource = template.Resources[id];
    if (resource === undefined) return;
    const name = nameOf(resource);
    if (typeof name === "string") this.#keep(name, resource, adopts);
    this.#live[part].set(id, resource);
    const [functionId = ""] = referencesIn(resource.Properties?.FunctionName);
    if (resource.Type === "AWS::Lambda::Version") this.#published.set(id, versionOf(functionId, template));
    if (resource.Type === "AWS::Lambda::Alias") {
      const version = this.#published.get(referencesIn(resource.Properties.FunctionVersion)[0] ?? "");
      if (version !== undefined) this.#served.set(id, version);
    }
    this.#look(resource);
  }

  #keep(name: string, resource: TemplateResource, adopts: "named" | "each" | undefined): void {
    const found = this.#kept.get(name);
    const mayAdopt = adopts === "each" || (adopts === "named" && isAdoptable(resource));
    if (found?.isManaged === false && !mayAdopt) throw new Refused(`${name} already exists.`);
    // DynamoDB encrypts a whole table anew; a message stays as it came in.
    const keys = resource.Type === TABLE ? keysOf(resource) : (found?.keys ?? []);
    this.#kept.set(name, { isManaged: true, hasRecords: found?.hasRecords === true, keys, resource });
  }

  #remove(part: Part, id: string, isRolledBack = false): void {
    const resource = this.#live[part].get(id);
    if (resource === undefined) return;
    this.#live[part].delete(id);
    const name = nameOf(resource);
    const kept = typeof name === "string" ? this.#kept.get(name) : undefined;
    if (kept !== undefined) {
      kept.isManaged = false;
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
      const goes = (isRolledBack && !kept.hasRecords) || !retains(resource);
      if (goes && !isProtected(resource)) this.#kept.delete(String(name));
    }
    if (resource.Type === "AWS::Lambda::Alias") this.#served.delete(id);
    if (resource.Type === "AWS::Lambda::Function")
      for (const version of this.#earlier) if (version.functionId === id) this.#earlier.delete(version);
    this.#look(resource);
  }

  #keptOf({ things }: Version): Kept[] {
    return things.map(({ name }) => this.#kept.get(name)).filter((kept) => kept !== undefined);
  }

  /** Looks at what a change of a resource may have done to versions that serve, and to those that somebody may go back to. */
  #look(resource: TemplateResource): void {
    const { Type, Properties } = resource;
    const serving = new Set(this.#served.values());
    const concerned =
      Type === "AWS::IAM::Policy"
        ? referencesIn(Properties.Roles)
        : Type === "AWS::Lambda::Alias" || nameOf(resource) !== undefined
          ? undefined
          : [];
    for (const version of new Set([...serving, ...this.#earlier]))
      if (concerned?.includes(version.role) ?? true)
        this.#judge(version, serving.has(version) ? "serves" : "way back");
    if (this.#promised.size === 0 || !/Gateway|Alias|EventSource|Schedule/.test(Type)) return;
    const open = this.addresses();
    for (const address of this.#promised)
      if (!open.has(address)) this.findings.add(`serves: ${address} leads nowhere`);
  }

  #judge(version: Version, how: string): void {
    const { functionId, role, things } = version;
    const statements = statementsOf(role, this.#live.api.values());
    const tell = (what: string) => this.findings.add(`${how}: ${functionId} ${what}`);
    for (const refusal of refusalsOf(version, statements)) tell(refusal);
    for (const { name, service } of things) {
      const kept = this.#kept.get(name);
      if (kept === undefined) {
        tell(`finds no ${name}`);
        continue;
      }
      for (const key of new Set([...kept.keys, ...keysOf(kept.resource)]))
        if (!conditionsFor(statements, "kms:Decrypt", key).some((text) => text.includes(`"${service}.`)))
          tell(`may not use the key of ${name}`);
      const { Type = TABLE, Properties } = kept.resource ?? {};
      const isLasting = Type === TABLE && Properties?.TimeToLiveSpecification === undefined;
      if (this.#hasServed && isLasting && !kept.hasRecords) tell(`finds ${name} empty`);
    }
  }
}
