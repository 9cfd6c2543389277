import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { LIFETIME_DAYS_LIMIT, LIFETIME_DAYS_MAX_DEFAULT } from "../lib/auth/settings.ts";
import { brandMembers } from "../lib/brand.ts";
import { passEnv } from "../lib/passes/contract.ts";
import { bucketsSchema } from "../lib/rate-limit/settings.ts";
import { matching, whole } from "../lib/setting-schemas.ts";
import { defaultFreshness, FRESHNESS_MS_MAX } from "../lib/signature/settings.ts";
import { corsOriginSchema } from "./cors-origin.ts";
import { domainsSchema } from "./domains.ts";
import { endpoints } from "./endpoints.ts";
import { alarmsSchema } from "./settings/alarms.ts";
import { backupSchema, lockFits } from "./settings/backup.ts";
import { bucketNameFits, certificatesAreInPlace } from "./settings/domain-place.ts";
import { encryptionSchema, keysAreInPlace } from "./settings/encryption.ts";
import { memorySchema } from "./settings/function-size.ts";
import { givenText } from "./settings/given-text.ts";
import { ingestSchema } from "./settings/ingest.ts";
import { retentionSchema } from "./settings/log-retention.ts";
import { hasPlace, placeMembers } from "./settings/place.ts";
import { releaseSchema } from "./settings/release.ts";
import { completeNames, namesAreOfCopies, tableNamesSchema } from "./settings/table-names.ts";
import { routesFitTogether, routeThrottlesOf, throttlesSchema } from "./settings/throttle.ts";

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Over plain HTTP an attacker could replace the keys and forge any token. Loopback traffic never leaves the machine. */
function isSafeKeyUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK_HOSTS.has(url.hostname));
}

/** A kept key set has the address in its item's key, which may have 2,048 bytes. */
const KEY_URL_LENGTH_MAX = 2_000;
const fitsKey = (text: string): boolean => (URL.parse(text)?.href.length ?? 0) <= KEY_URL_LENGTH_MAX;

/** `Date` rolls a 30 February over to March; only an instant that exists comes back as it was. */
function isCalendarInstant(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text.replace("Z", ".000Z");
}

/** An instant that cannot be taken for another one: UTC, whole seconds, as an HTTP date needs it. */
const instant = z
  .string()
  .check(
    z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, "must be a UTC instant such as 2027-01-31T00:00:00Z"),
    z.refine(isCalendarInstant, "must be a day and a time that exist"),
  );

const tokenSchema = z.strictObject({
  /** Exact `iss` of an access token. */
  issuer: matching(/^[\x21-\x7e]{1,255}$/, "must be the token's `iss`, without spaces"),
  /** Exact `aud` of an access token; each interface has its own. */
  audience: matching(/^[\x21-\x7e]{1,255}$/, "must be the token's `aud`, without spaces"),
  /** Where the issuer publishes its keys. */
  jwksUrl: z
    .string()
    .check(
      z.refine(isSafeKeyUrl, "must be an https URL (http only to this machine itself)"),
      z.refine(fitsKey, `must have ${KEY_URL_LENGTH_MAX} characters at most, as it is sent`),
    ),
  /** Required `typ` of the token's header. */
  type: z._default(matching(/^[A-Za-z0-9.+-]{1,60}$/, "must be a media type such as at+jwt"), "at+jwt"),
  /** How many days a token's `exp` may lie ahead: one in milliseconds would make a token for ever. */
  lifetimeDaysMax: z._default(whole(1, LIFETIME_DAYS_LIMIT), LIFETIME_DAYS_MAX_DEFAULT),
});

/** Callers over a limit have to wait; each business, partner or trading client has tokens of its own. The contracts name the limits. */
const rateLimitsSchema = z.strictObject(
  Object.fromEntries(
    endpoints.map(({ contract: { limit } }) => [
      limit.name,
      z._default(bucketsSchema, [...limit.defaultBuckets]),
    ]),
  ),
);

/** How far the timestamp of a signed request may lie from the server's time. */
const signatureSchema = z.strictObject({
  ageMsMax: z._default(whole(1, FRESHNESS_MS_MAX), defaultFreshness.ageMsMax),
  aheadMsMax: z._default(whole(1, FRESHNESS_MS_MAX), defaultFreshness.aheadMsMax),
});

const idTypeSchema = z
  .strictObject({
    /** Since when the lookup by `id_type` is deprecated. */
    deprecatedAt: instant,
    /** When that lookup will end. */
    sunsetAt: instant,
  })
  .check(
    z.refine(({ deprecatedAt, sunsetAt }) => deprecatedAt < sunsetAt, {
      path: ["sunsetAt"],
      error: "must be later than deprecatedAt",
    }),
  );

const { PASS_CREDENTIALS, PASS_JWS_BINDING } = passEnv;

/** The accepted sets of credentials. The function's own setting parses them and supplies the messages and the default. */
const credentialSetsSchema = z._default(
  z.string().check(({ value, issues }) => {
    const { error } = PASS_CREDENTIALS.safeParse(value);
    for (const { message } of error?.issues ?? []) issues.push({ code: "custom", message, input: value });
  }),
  PASS_CREDENTIALS.parse(undefined)
    .map((set) => set.join("+"))
    .join(" "),
);

const passesSchema = z.strictObject({
  token: tokenSchema,
  credentials: credentialSetsSchema,
  /** Whether a signature must name the method and path that it is for. `optional` is for a wallet that cannot name them. */
  jwsBinding: PASS_JWS_BINDING,
});

/** None by default: the concurrency of a new account is too low to reserve any. */
const reservedConcurrencySchema = z.strictObject(
  Object.fromEntries(endpoints.map(({ contract }) => [contract.name, z.optional(whole(1, 10_000))])),
);

/** Every setting of one deployment, what it may be, and what it is when it is not given. */
export const stageMembers = z.strictObject({
  /** Names the stacks and the tables: `countinghouse-<name>-…`. */
  name: matching(
    /^[a-z][a-z0-9-]{0,19}$/,
    "must be 1-20 lower-case letters, digits and hyphens, beginning with a letter",
  ),
  ...placeMembers,
  /** Tables in place of the stage's own, by name: those that were restored from a backup. */
  tables: z.prefault(tableNamesSchema, {}),
  /** Backups in a vault; none unless given. */
  backup: z.optional(backupSchema),
  /** A key of the operator's own; AWS's keys unless given. */
  encryption: z.optional(encryptionSchema),
  brand: z.prefault(z.strictObject(brandMembers), {}),
  business: z.strictObject({ token: tokenSchema, idType: idTypeSchema }),
  passes: passesSchema,
  /** Who puts records into the stage's queue; no queue and no function for it unless given. */
  ingest: z.optional(ingestSchema),
  /** Where clients reach the API; at the gateway's own address unless given. */
  domains: z.optional(domainsSchema),
  rateLimits: z.prefault(rateLimitsSchema, {}),
  signature: z.prefault(signatureSchema, {}),
  /** Origins whose browser programs may read answers; none unless given. */
  corsOrigins: z._default(z.array(corsOriginSchema), []),
  /** How long the logs of functions are kept. */
  logRetentionDays: z._default(retentionSchema, 90),
  /** How long the gateway's access log is kept, which has the addresses of clients. */
  accessLogRetentionDays: z._default(retentionSchema, 30),
  throttle: z.prefault(throttlesSchema, {}),
  release: z.prefault(releaseSchema, {}),
  /** Who is told of alarms; nobody unless given. */
  alarms: z.prefault(alarmsSchema, {}),
  /** Size and code of each function. The gateway itself stops waiting after 30 s. */
  functions: z.prefault(
    z.strictObject({
      memoryMb: memorySchema,
      /** A request is answered a tenth of a second before this. */
      timeoutSeconds: z._default(whole(3, 29, ": a read that is tried three times takes two seconds"), 10),
      /** Whether bundles carry the SDK as it is published, without stand-ins: larger, and slower to start. */
      stockSdk: z._default(z.boolean(), false),
      /** From which level on Lambda's own lines are kept: `WARN` leaves out the two lines of each healthy request. */
      systemLogLevel: z._default(z.enum(["INFO", "WARN"]), "INFO"),
      /** Whether X-Ray traces requests. */
      tracing: z._default(z.boolean(), false),
      /** Environments that are reserved for a function, and the most it may have, by its endpoint's name. */
      reservedConcurrency: z.prefault(reservedConcurrencySchema, {}),
    }),
    {},
  ),
});

/** The rules that more than one setting takes part in are checked once each setting is right by itself. */
const stageSchema = z.pipe(
  stageMembers.check(
    hasPlace,
    namesAreOfCopies,
    certificatesAreInPlace,
    bucketNameFits,
    keysAreInPlace,
    routesFitTogether,
    lockFits,
  ),
  z.transform((stage) => ({
    ...stage,
    tables: completeNames(stage.name, stage.tables),
    throttle: { ...stage.throttle, routes: routeThrottlesOf(stage) },
  })),
);

/** The settings of one deployment, complete and checked. */
export type Stage = z.infer<typeof stageSchema>;

/** A stage file that cannot be used. The message names every problem with its path and is meant for the operator. */
export class StageError extends Error {
  override readonly name = "StageError";
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const at = (key?: string): string =>
    [...issue.path, ...(key === undefined ? [] : [key])].join(".") || "the file";
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${at(key)}: is not a setting; correct its spelling or remove it`);
  }
  if (issue.code === "invalid_type") return [`${at()}: must be given, as ${article(issue.expected)}`];
  return [`${at()}: ${issue.message}`];
}

/** Checks a stage's settings and completes them. Throws a `StageError` that names every problem. */
export function parseStage(settings: unknown, source: string): Stage {
  const parsed = stageSchema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap(describeIssue);
  throw new StageError(
    `${source} cannot be used as a stage:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
  );
}

/** Reads one stage file, JSON. Throws a `StageError` that says what to do when it is missing or wrong. */
export function readStage(file: string): Stage {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const way =
      "copy infra/stages/example.json to it, or name another with -c stage=<name> or STAGE_FILE=<path>";
    throw new StageError(`${file} cannot be read: ${way}.`, { cause });
  }
  const text = givenText(bytes);
  if (text === undefined) throw new StageError(`${file} is not UTF-8: save it as UTF-8 text.`);
  try {
    return parseStage(JSON.parse(text), file);
  } catch (error) {
    if (error instanceof StageError) throw error;
    throw new StageError(`${file} is not JSON: ${error instanceof Error ? error.message : "unreadable"}`, {
      cause: error,
    });
  }
}

/**
 * The stage file that is meant: a path given outright, else `infra/stages/<name>.json` of the project. No stage is meant by
 * default, because a command without a name would then deploy that one.
 *
 * @throws {StageError} when neither is given.
 */
export function stageFileOf(file: string | undefined, name: string | undefined): string {
  if (file !== undefined) return file;
  if (name === undefined)
    throw new StageError(
      "No stage is named. Say which one is meant with -c stage=<name>, as in -c stage=prod for infra/stages/prod.json.",
    );
  return path.resolve(import.meta.dirname, "stages", `${name}.json`);
}
