import type * as z from "zod/mini";
import { stageMembers } from "../../../infra/stage.ts";
import { testStage } from "../synthesize.ts";
import { everySetting } from "../three-stages.ts";

type Members = Readonly<Record<string, unknown>>;

/** Another account, region or name makes another stage. */
const PLACE: readonly string[] = ["name", "account", "region"];

const { business, passes } = testStage();
/** The file of a stage that has everything, with what a stage must have. */
export const fullStage: Members = { ...everySetting, business, passes };

const otherKey = everySetting.encryption.keyArn.replace("1234abcd", "5678abcd");
const buckets = [{ name: "second", burst: 90, refillTokens: 100, refillWindowMs: 1_000 }];

/** Other values than those of `fullStage`, where none follows from the kind of a setting; a star is any member of its group. */
const given: Readonly<Record<string, (member: string) => readonly unknown[]>> = {
  "tables.*": (table) => [undefined, ...["r1", "r2"].map((copy) => `countinghouse-test-${table}-${copy}`)],
  "backup.keyArn": () => ["aws/backup", otherKey],
  "backup.lock.keepDays": () => [30],
  "backup.copyTo.vaultArn": () => [everySetting.backup.copyTo.vaultArn.replace("central", "other")],
  "encryption.keyArn": () => [undefined, otherKey],
  "encryption.otherKeyArns": () => [[], [otherKey]],
  "brand.headerPrefix": () => ["X-Other-"],
  "brand.basePath": () => ["", "/v1"],
  "brand.venue": () => ["OTHER"],
  "business.idType.deprecatedAt": () => ["2026-06-01T00:00:00Z"],
  "business.idType.sunsetAt": () => ["2027-08-01T00:00:00Z"],
  "passes.credentials": () => ["certificate"],
  "ingest.producers": () => [everySetting.ingest.producers.slice(0, 1)],
  "domains.open.name": () => ["other.test.example"],
  "domains.mutualTls.name": () => ["mtls-other.test.example"],
  "domains.mutualTls.ownershipVerificationCertificateArn": () => [undefined],
  "domains.mutualTls.truststoreVersion": () => [undefined, "v2"],
  "rateLimits.*": () => [buckets],
  corsOrigins: () => [[]],
  "throttle.routes.*": () => [undefined, { requestsPerSecond: 60, burst: 120 }],
  "release.shift": () => [undefined, "Linear10PercentEvery1Minute"],
  "alarms.notify": () => [[]],
  "alarms.page": () => [[]],
  "functions.reservedConcurrency.*": () => [undefined, 21],
};

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly values?: readonly unknown[];
  readonly entries?: Members;
}

interface Leaf {
  readonly path: string;
  readonly kind: Definition;
}

/** Every setting of a schema: what has no members, and the groups that may be left out as a whole. */
function leavesOf(schema: z.ZodMiniType, path: string): Leaf[] {
  const kind = schema._zod.def as unknown as Definition;
  if (kind.shape !== undefined)
    return Object.entries(kind.shape).flatMap(([name, member]) =>
      leavesOf(member, path === "" ? name : `${path}.${name}`),
    );
  if (kind.innerType === undefined) return [{ path, kind }];
  const inner = leavesOf(kind.innerType, path);
  const isGroup = inner.every((leaf) => leaf.path !== path);
  return kind.type === "optional" && isGroup ? [{ path, kind }, ...inner] : inner;
}

const valueAt = (members: unknown, path: string): unknown =>
  path.split(".").reduce((value, name) => (value as Members | undefined)?.[name], members);

const withValue = (members: unknown, [name = "", ...rest]: readonly string[], value: unknown): Members => ({
  ...(members as Members | undefined),
  [name]: rest.length === 0 ? value : withValue((members as Members | undefined)?.[name], rest, value),
});

function othersByKind({ type, values, entries }: Definition, value: unknown): readonly unknown[] {
  if (type === "optional") return [undefined];
  if (type === "boolean") return [value !== true];
  if (type === "number") return [(value as number) + 1];
  if (type === "string") return [`${String(value)}x`];
  const choices = values ?? Object.values(entries ?? {});
  return choices.filter((choice) => choice !== value).slice(0, 1);
}

/** A setting of a stage, and files of a stage that differ in it alone. The first is `fullStage`, without a lock where a lock is refused. */
export interface VariedSetting {
  readonly path: string;
  readonly files: readonly Members[];
}

const parentOf = (path: string): string => path.split(".").slice(0, -1).join(".");

const ruleOf = (path: string) => given[path] ?? given[`${parentOf(path)}.*`];

/** Every setting that a stage may have, each with several values. A setting that gets only one is listed with one file. */
export function varySettings(): VariedSetting[] {
  const parsed = testStage(fullStage);
  return leavesOf(stageMembers, "")
    .filter(({ path }) => !PLACE.includes(path) && ruleOf(parentOf(path)) === undefined)
    .map(({ path, kind }) => {
      const parts = path.split(".");
      const others = ruleOf(path)?.(parts.at(-1) ?? "") ?? othersByKind(kind, valueAt(parsed, path));
      const seen = new Set([JSON.stringify(valueAt(fullStage, path))]);
      const base = path === "disposable" ? withValue(fullStage, ["backup", "lock"], undefined) : fullStage;
      const fresh = others.filter((value) => seen.size < seen.add(JSON.stringify(value)).size);
      return { path, files: [base, ...fresh.map((value) => withValue(base, parts, value))] };
    });
}
