import { readFileSync } from "node:fs";
import { PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { Failure } from "../../lib/errors.ts";
import { BatchReport } from "../../lib/ingest/batch-report.ts";
import { INGEST_NAME } from "../../lib/ingest/settings.ts";
import { UPKEEP_NAME } from "../../lib/upkeep/settings.ts";
import { LOCAL_STAGE } from "../../local/template/local-stage.ts";
import { SwitchRegister } from "../../ops/switches/switch-register.ts";
import { accessLine, addAccessLine } from "../support/cloudwatch/access-line.ts";
import {
  type AlarmState,
  alarmState,
  type Circumstances,
  metricsOf,
  periodMsOf,
  periodsOf,
} from "../support/cloudwatch/alarm-state.ts";
import { MetricData } from "../support/cloudwatch/metric-data.ts";
import { pagedFor, tellsPages } from "../support/cloudwatch/paged.ts";
import {
  damagedWithdrawals,
  expiryReports,
  type Reports,
  silentIssuer,
  switchReport,
} from "../support/cloudwatch/reports.ts";
import { type WatchedAnswer, WatchedService } from "../support/cloudwatch/watched-service.ts";
import { startTestGateway } from "../support/local-gateway.ts";
import { resourcesOf, synthesize, type TemplateResource, testStage } from "../support/synthesize.ts";
import { everySetting } from "../support/three-stages.ts";

/** The local service has the name of its stage in all lines, so the alarms are those of a stage of that name. */
const { alarms: template, api } = synthesize(testStage({ ...everySetting, tables: {}, name: LOCAL_STAGE }));
const alarms = resourcesOf(template, "AWS::CloudWatch::Alarm");
const nameOf = ({ Properties }: TemplateResource): string =>
  Properties.AlarmName.replace(`countinghouse-${LOCAL_STAGE}-`, "");
const sectionOf = ({ Properties }: TemplateResource): string =>
  Properties.AlarmDescription.split("#")[1] ?? "";

/** A midnight, at which periods of every length end. */
const NOW_MS = Date.UTC(2026, 10, 29);

/** What the service and its functions showed under each fault, one answer of each endpoint. */
type Seen = Readonly<Record<keyof typeof faults, readonly WatchedAnswer[]>>;

const faults = {
  sound: (watched: WatchedService) => askSoundly(watched),
  wrongCredentials: (watched: WatchedService) => watched.askAll("wrong"),
  failingStore: (watched: WatchedService) => watched.askAllUnder("503"),
  missingPermission: (watched: WatchedService) => watched.askAllUnder("500"),
  gatewayAlone: (watched: WatchedService) => watched.askAllUnder("gateway-500"),
  unansweredLimits: (watched: WatchedService) => watched.askAllWithout("RateLimits", "InternalServerError"),
  throttledTable: (watched: WatchedService) => watched.askAllWithout("Transactions", "ThrottlingException"),
  damagedSegment: async (watched: WatchedService) => [await askForDamage(watched)],
  // The environments of a fault are new, and so have not remembered that the switches were on.
  switchedOff: async (watched: WatchedService) => {
    const register = new SwitchRegister(watched.service.table("Settings"));
    for (const { contract } of endpoints) await register.put(contract.name, { on: false, reason: "a test" });
    return watched.askAllUnder("500");
  },
};

/** Asks until every limit was counted: on a busy machine a limiter may give a charge up. */
async function askSoundly(watched: WatchedService): Promise<readonly WatchedAnswer[]> {
  const answers = await watched.askAll();
  const isUncounted = answers.some(({ lines: told }) =>
    told.some((line) => line.includes("RateLimitOutage")),
  );
  return isUncounted ? askSoundly(watched) : answers;
}

/** Spoils every segment of a market in the store, and asks for its trades. */
async function askForDamage(watched: WatchedService): Promise<WatchedAnswer> {
  const { client, demo } = watched.service;
  const [, symbol = ""] = demo.exchange.symbols;
  const TableName = watched.service.tableName("Trades");
  const { Items = [] } = await client.send(
    new ScanCommand({
      TableName,
      FilterExpression: "begins_with(pk, :market)",
      ExpressionAttributeValues: { ":market": { S: `${symbol}#` } },
    }),
  );
  for (const { pk, sk } of Items)
    if (pk !== undefined && sk !== undefined)
      await client.send(new PutItemCommand({ TableName, Item: { pk, sk, d: { B: Buffer.from("?") } } }));
  return watched.ask("list-trades", watched.trades(symbol));
}

let seen: Seen;
let reports: Reports;
let refusedReads: number;
/** How often Lambda would have counted a crash and a throttle, by what the gateway answered to a function of each kind. */
let lambda: { readonly Errors: number; readonly Throttles: number };

beforeAll(async () => {
  const watched = await WatchedService.start();
  const switchedOn = await switchReport(watched.service);
  const found: Partial<Record<keyof Seen, readonly WatchedAnswer[]>> = {};
  for (const [name, show] of Object.entries(faults)) found[name as keyof Seen] = await show(watched);
  seen = found as Seen;
  reports = {
    switchedOn,
    switchedOff: await switchReport(watched.service),
    silentIssuer: await silentIssuer(watched.service.demo.issuer.jwksUrl),
    damagedWithdrawals: await damagedWithdrawals(),
    days: await expiryReports(),
  };
  const ofTransactions = watched.proxy.refused.filter(({ table }) => table.endsWith("-Transactions"));
  refusedReads = ofTransactions.filter(({ operation }) => ["GetItem", "Query"].includes(operation)).length;
  lambda = await countedByLambda();
  await watched.close();
});

async function countedByLambda(): Promise<typeof lambda> {
  const gateway = await startTestGateway({
    code: 'export const crash = async () => { throw new Error("on purpose"); };\nexport const full = crash;',
    endpoints: {
      crash: { routeKey: "GET /crash" },
      full: { routeKey: "GET /full", function: { ReservedConcurrentExecutions: 0 } },
    },
  });
  const statusOf = async (path: string): Promise<number> => (await fetch(`${gateway.url}${path}`)).status;
  const [crashed, full] = [await statusOf("/crash"), await statusOf("/full")];
  await gateway.close();
  return { Errors: Number(crashed === 500), Throttles: Number(full === 503) };
}

/** What is put into a period of an alarm, at an instant of it. */
type Put = (data: MetricData, atMs: number, alarm: TemplateResource) => void;

/** How much is needed, and how much is not enough. */
interface Proof {
  readonly rings: Put;
  readonly silent: Readonly<Record<string, Put>>;
  /** What the periods have that are not said to have anything, for an alarm about silence. */
  readonly usual?: Put;
  readonly circumstances?: Omit<Circumstances, "nowMs">;
}

const nothing: Put = () => {};

/** The lines of the answer that the endpoint of an alarm gave under a fault, so many times. */
const lines =
  (fault: keyof Seen, times = 1): Put =>
  (data, atMs, alarm) => {
    const endpoint = metricsOf(alarm)[0]?.dimensions.endpoint;
    const answer = seen[fault].find((one) => one.endpoint === endpoint);
    if (answer === undefined) throw new Error(`${endpoint} was not asked under ${fault}`);
    for (const line of answer.lines) data.addLine(line, atMs, times);
  };

/** The lines of the access log for the answers that all endpoints gave under a fault, or one of them. */
const accessLines =
  (fault: keyof Seen, only?: string): Put =>
  (data, atMs) => {
    for (const { endpoint, status, functionStatus } of seen[fault]) {
      if (endpoint !== (only ?? endpoint)) continue;
      const variables = {
        status: String(status),
        routeKey: routeKeyOf(endpoint),
        ...(functionStatus !== undefined && { "integration.status": String(functionStatus) }),
      };
      addAccessLine(data, api, accessLine(api, variables), { atMs });
    }
  };

function routeKeyOf(endpoint: string): string {
  const { method, route } = endpoints.find(({ contract }) => contract.name === endpoint)?.contract ?? {};
  return `${method} ${route}`;
}

/** A line of the access log for a request that failed before the gateway had found its route. */
const unrouted: Put = (data, atMs) => addAccessLine(data, api, accessLine(api, { status: "500" }), { atMs });

const all =
  (...puts: readonly Put[]): Put =>
  (data, atMs, alarm) => {
    for (const put of puts) put(data, atMs, alarm);
  };

/** So many samples of an alarm's nth metric, where AWS counts or we report what nothing here can show. */
const samples =
  (value: number, times = 1, nth = 0): Put =>
  (data, atMs, alarm) => {
    const metric = metricsOf(alarm)[nth];
    if (metric !== undefined) data.add(metric, atMs, value, times);
  };

/** The lines of a report; each alarm finds those that are about it. */
const reported =
  (linesIn: (from: Reports) => readonly string[]): Put =>
  (data, atMs) => {
    for (const line of linesIn(reports)) data.addLine(line, atMs);
  };

/** One thing for the alarm of an endpoint, another for that of the function that takes in messages. */
const ofEndpoint =
  (endpoint: Put, ofMessages: Put): Put =>
  (data, atMs, alarm) => {
    const put = metricsOf(alarm)[0]?.dimensions.endpoint === INGEST_NAME ? ofMessages : endpoint;
    put(data, atMs, alarm);
  };

const proofs: Readonly<Record<string, Proof>> = {
  failures: {
    rings: all(lines("failingStore", 5), lines("sound", 494)),
    silent: {
      "at exactly 1 %": all(lines("failingStore", 5), lines("sound", 495)),
      "for four requests of four": lines("failingStore", 4),
      "for a switched-off endpoint": lines("switchedOff", 500),
      "for refused credentials": lines("wrongCredentials", 500),
    },
  },
  crash: {
    rings: (data, atMs, alarm) => samples(lambda.Errors)(data, atMs, alarm),
    silent: { "for invocations that end with an answer": samples(0, 100) },
  },
  gateway: {
    rings: all(accessLines("gatewayAlone"), unrouted),
    silent: {
      "for answers of the functions, failures among them": all(
        accessLines("sound"),
        accessLines("failingStore"),
        accessLines("missingPermission"),
        accessLines("switchedOff"),
        accessLines("wrongCredentials"),
      ),
    },
  },
  release: {
    rings: accessLines("missingPermission"),
    silent: {
      "for a failing store, a switch and refusals": all(
        accessLines("failingStore"),
        accessLines("switchedOff"),
        accessLines("wrongCredentials"),
        accessLines("sound"),
      ),
    },
  },
  latency: {
    rings: all(samples(1_001, 6), samples(20, 494)),
    silent: {
      "for one request in a hundred": all(samples(1_001, 5), samples(20, 495)),
      "at a second": samples(1_000, 500),
      "for fewer than 1,000 requests, however slow": samples(9_000, 199),
    },
  },
  throttled: {
    rings: (data, atMs, alarm) => samples(lambda.Throttles)(data, atMs, alarm),
    silent: { "without a throttle": samples(0, 100) },
  },
  "throttled-table": {
    rings: (data, atMs, alarm) => samples(refusedReads >= 5 ? 5 : 0)(data, atMs, alarm),
    silent: { "for four events": samples(1, 4) },
  },
  limiter: {
    rings: all(lines("unansweredLimits", 10), lines("sound", 989)),
    silent: {
      "at exactly 1 %": all(lines("unansweredLimits", 10), lines("sound", 990)),
      "for nine of nine": lines("unansweredLimits", 9),
      "while limits refuse nobody": lines("sound", 1_000),
    },
  },
  issuer: {
    rings: reported(({ silentIssuer: written }) => written),
    silent: { "for other reports": reported(({ switchedOff }) => switchedOff) },
  },
  damaged: {
    rings: ofEndpoint(
      lines("damagedSegment"),
      reported((found) => found.damagedWithdrawals),
    ),
    silent: {
      "for other failures": ofEndpoint(lines("missingPermission", 100), reported(linesOfReturned)),
    },
  },
  unauthorized: {
    rings: lines("wrongCredentials", 31),
    silent: {
      "within the band": lines("wrongCredentials", 30),
      "for other answers": all(lines("sound", 100), lines("failingStore", 100)),
    },
    circumstances: { bandUpper: 30 },
  },
  "switched-off": {
    rings: reported(({ switchedOff }) => switchedOff),
    silent: {
      "while it is on": reported(({ switchedOn }) => switchedOn),
      "for periods in which it was on once": reported(({ switchedOn, switchedOff }) => [
        ...switchedOn,
        ...switchedOff,
      ]),
    },
  },
  expiry: {
    rings: reported(({ days }) => days(29)),
    silent: { "30 days before": reported(({ days }) => days(30)) },
  },
  "ingest-dead": { rings: samples(1), silent: { "for an empty queue": samples(0, 10) } },
  "ingest-rejected": { rings: samples(1), silent: { "for an empty queue": samples(0, 10) } },
  "ingest-late": { rings: samples(301), silent: { "for five minutes": samples(300, 10) } },
  uncalled: { rings: nothing, usual: samples(1), silent: { "for one call in each period": samples(1) } },
  certificate: { rings: samples(29), silent: { "30 days before": samples(30) } },
  concurrency: {
    rings: all(samples(801), samples(700, 1, 1)),
    silent: { "at 80 %": all(samples(800), samples(700, 1, 1)) },
    circumstances: { quota: 1_000 },
  },
};

/** What there is after `count` periods of an alarm had something, the oldest first. */
function dataAfter(alarm: TemplateResource, put: Put, count: number): MetricData {
  const data = new MetricData();
  const middleMs = periodMsOf(alarm) / 2;
  const { usual = nothing } = proofs[sectionOf(alarm)] ?? {};
  for (const [at, startMs] of periodsOf(alarm, NOW_MS).entries())
    (at < count ? put : usual)(data, startMs + middleMs, alarm);
  return data;
}

/** The state of an alarm by what there is of its metrics. */
const stateOf = (alarm: TemplateResource, data: MetricData): AlarmState =>
  alarmState(alarm, data, { nowMs: NOW_MS, ...proofs[sectionOf(alarm)]?.circumstances });

/** The state of an alarm after `count` of its periods had something. */
const stateAfter = (alarm: TemplateResource, put: Put, count: number): AlarmState =>
  stateOf(alarm, dataAfter(alarm, put, count));

test("every kind of alarm has its proof, and there is none without an alarm", () => {
  expect(Object.keys(proofs).sort()).toEqual([...new Set(alarms.map(sectionOf))].sort());
});

test("every fault showed itself as it was meant", () => {
  const statuses = Object.fromEntries(
    Object.entries(seen).map(([fault, answers]) => [
      fault,
      [...new Set(answers.map(({ status }) => status))],
    ]),
  );
  expect(statuses).toEqual({
    sound: [200],
    wrongCredentials: [401],
    failingStore: [503],
    missingPermission: [500],
    gatewayAlone: [500],
    unansweredLimits: [200],
    throttledTable: [503, 200],
    damagedSegment: [500],
    switchedOff: [503],
  });
  expect(lambda).toEqual({ Errors: 1, Throttles: 1 });
  expect(refusedReads).toBeGreaterThanOrEqual(5);
  const codes = seen.switchedOff.flatMap((answer) => answer.lines).map((line) => JSON.parse(line).code);
  expect(new Set(codes)).toEqual(new Set(["service_disabled"]));
});

describe.each(alarms.map((alarm) => [nameOf(alarm), alarm] as const))("the alarm %s", (_, alarm) => {
  const { DatapointsToAlarm: needed, EvaluationPeriods: periods } = alarm.Properties;
  const proof = (): Proof => {
    const found = proofs[sectionOf(alarm)];
    if (found === undefined) throw new Error(`Nothing shows that ${nameOf(alarm)} can ring.`);
    return found;
  };

  test("rings under its fault, in as many periods as it needs", () => {
    expect(stateAfter(alarm, proof().rings, needed)).toBe("ALARM");
  });

  test("is silent one period before, and without data unless silence is its fault", () => {
    expect(stateAfter(alarm, proof().rings, needed - 1)).not.toBe("ALARM");
    // A function that has never been called is silent too.
    expect(stateAfter(alarm, nothing, periods) === "ALARM").toBe(sectionOf(alarm) === "uncalled");
  });

  test("is silent just below its bound", () => {
    for (const [less, put] of Object.entries(proof().silent))
      expect([less, stateAfter(alarm, put, periods)]).not.toEqual([less, "ALARM"]);
  });
});

test("refusals are not a storm while they are fewer than 20 a minute, however unusual", () => {
  const storms = alarms.filter((alarm) => sectionOf(alarm) === "unauthorized");
  expect(storms).toHaveLength(endpoints.length);
  for (const alarm of storms) {
    const stateFor = (times: number): AlarmState => {
      const data = new MetricData();
      for (const startMs of periodsOf(alarm, NOW_MS)) lines("wrongCredentials", times)(data, startMs, alarm);
      return alarmState(alarm, data, { nowMs: NOW_MS, bandUpper: 0 });
    };
    expect([stateFor(19), stateFor(20)]).toEqual(["OK", "ALARM"]);
  }
});

describe("docs/runbook.md", () => {
  const searches = [...readFileSync("docs/runbook.md", "utf8").matchAll(/`search '([^']+)'(?: \d+)?`/g)].map(
    ([, query]) => query ?? "",
  );
  const WORDS =
    /^(?:and|as|asc|bin|by|count|desc|fields|filter|ispresent|latest|limit|m|or|pct|requests|sort|stats|sum)$/;
  /** In Lambda's own lines (Lambda developer guide, "JSON log format"), and in those of a job that failed. */
  const others = [
    "@timestamp",
    "type",
    "record.status",
    "record.metrics.maxMemoryUsedMB",
    "message.errorType",
    "message.errorMessage",
    "job",
  ];

  test("searches for members that the lines of functions have", () => {
    const answers = Object.values(seen).flat();
    const all = [
      ...answers.flatMap((answer) => answer.lines),
      ...reports.silentIssuer,
      ...reports.switchedOff,
      ...reports.days(29),
      ...linesOfReturned(),
    ];
    const members = new Set([...all.flatMap((line) => pathsOf(JSON.parse(line))), ...others]);
    expect(searches.length).toBeGreaterThan(10);
    for (const query of searches) {
      const named = query.replaceAll(/"[^"]*"/g, "").match(/@?[A-Za-z_][\w.]*/g) ?? [];
      const unknown = named.filter((name) => !WORDS.test(name) && !members.has(name));
      expect([query, unknown]).toEqual([query, []]);
    }
  });
});

/** The lines about a batch whose records could not be stored, or rejected, because of a fault of the store. */
function linesOfReturned(): string[] {
  const report = new BatchReport();
  const cause = Object.assign(new Error(), { code: "ECONNRESET", $metadata: { requestId: "ABC1" } });
  const fault = new Failure("temporarily_unavailable", "The store did not answer.", { cause });
  report.countReturned("trade", fault);
  for (const name of ["RecordsWritten", "RecordsUnchanged", "RecordsRejected"] as const)
    report.count("trade", name);
  const lines: string[] = [];
  const origin = { stage: "test", endpoint: INGEST_NAME };
  report.write((line) => lines.push(JSON.stringify({ ...origin, ...line })), NOW_MS, {});
  return lines;
}

/** The members of a line as CloudWatch Logs Insights names them: those within another one after a dot. */
const pathsOf = (line: object, prefix = ""): string[] =>
  Object.entries(line).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? [`${prefix}${name}`, ...pathsOf(value, `${prefix}${name}.`)]
      : [`${prefix}${name}`],
  );

describe("pages", () => {
  /** Adds to the metric of an alarm what AWS counts. */
  const counted =
    (name: string, value: number): Put =>
    (data, atMs) =>
      samples(value)(data, atMs, alarmNamed(name));
  const linesOf =
    (fault: keyof Seen, endpoint: string, times: number): Put =>
    (data, atMs) => {
      for (const answer of seen[fault])
        if (answer.endpoint === endpoint) for (const line of answer.lines) data.addLine(line, atMs, times);
    };
  const alarmNamed = (name: string): TemplateResource => {
    const found = alarms.find((alarm) => nameOf(alarm) === name);
    if (found === undefined) throw new Error(`There is no alarm ${name}.`);
    return found;
  };

  interface PagingFault {
    /** What the fault leaves in each minute. */
    readonly leaves: () => Put;
    /** The alarm that pages for it. */
    readonly paged: string;
  }

  const ofEndpoints = endpoints.flatMap(({ contract: { name } }): [string, PagingFault][] => [
    [
      `${name} crashes`,
      {
        leaves: () => all(counted(`crash-${name}`, lambda.Errors), accessLines("gatewayAlone", name)),
        paged: `crash-${name}`,
      },
    ],
    [
      `${name} cannot be called`,
      { leaves: () => accessLines("gatewayAlone", name), paged: `page-gateway-${name}` },
    ],
    [
      `${name} fails`,
      {
        leaves: () => all(linesOf("missingPermission", name, 5), accessLines("missingPermission", name)),
        paged: `failures-${name}`,
      },
    ],
  ]);
  const others: Readonly<Record<string, PagingFault>> = {
    "the gateway fails by itself": { leaves: () => unrouted, paged: "gateway-unrouted" },
    "trades are damaged": {
      leaves: () => linesOf("damagedSegment", "list-trades", 1),
      paged: "damaged-list-trades",
    },
    "withdrawals are damaged": {
      leaves: () => reported((found) => found.damagedWithdrawals),
      paged: `damaged-${INGEST_NAME}`,
    },
    "the issuer is silent": {
      leaves: () => reported(({ silentIssuer: written }) => written),
      paged: "page-issuer",
    },
    "a message is dead": { leaves: () => counted("ingest-dead", 1), paged: "ingest-dead" },
    ...Object.fromEntries(
      [INGEST_NAME, UPKEEP_NAME].map((name) => [
        `${name} crashes`,
        { leaves: () => counted(`crash-${name}`, lambda.Errors), paged: `crash-${name}` },
      ]),
    ),
  };
  const pagingFaults = new Map([...ofEndpoints, ...Object.entries(others)]);

  /** The ids of the alarms that ring while a fault lasts. */
  const ringing = new Map<string, ReadonlySet<string>>();
  const pagedWhile = (...lasting: readonly string[]): string[] => {
    const ids = new Set(lasting.flatMap((fault) => [...(ringing.get(fault) ?? [])]));
    return pagedFor(template, ids).map(nameOf);
  };

  beforeAll(() => {
    for (const [fault, { leaves }] of pagingFaults) {
      const dataFor = leftIn(leaves());
      const those = alarms.filter((alarm) => stateOf(alarm, dataFor(alarm)) === "ALARM");
      ringing.set(fault, new Set(those.map(({ id }) => id)));
    }
  });

  /** What a fault leaves in the periods of an alarm. It is the same for all alarms with the same periods. */
  const leftIn = (put: Put): ((alarm: TemplateResource) => MetricData) => {
    const made = new Map<string, MetricData>();
    return (alarm) => {
      const periods = String(periodsOf(alarm, NOW_MS));
      const data = made.get(periods) ?? dataAfter(alarm, put, Infinity);
      made.set(periods, data);
      return data;
    };
  };

  test("one fault once, and every alarm that may page does so for some fault", () => {
    for (const [fault, { paged }] of pagingFaults)
      expect([fault, pagedWhile(fault)]).toEqual([fault, [paged]]);
    const mayPage = [...alarms, ...resourcesOf(template, "AWS::CloudWatch::CompositeAlarm")].filter(
      tellsPages,
    );
    const shown = Array.from(pagingFaults.values(), ({ paged }) => paged);
    expect(shown.toSorted()).toEqual(mayPage.map(nameOf).toSorted());
  });

  test("again for whatever begins while a fault lasts, unless the lasting one lets everything ring already", () => {
    const silent: string[] = [];
    for (const lasting of pagingFaults.keys())
      for (const [later, { paged }] of pagingFaults)
        if (later !== lasting && !isNew(lasting, later, paged)) silent.push(`${lasting}, then ${later}`);
    expect(silent).toEqual(
      endpoints.map(({ contract: { name } }) => `${name} crashes, then ${name} cannot be called`),
    );
  });

  const isNew = (lasting: string, later: string, paged: string): boolean =>
    !pagedWhile(lasting).includes(paged) && pagedWhile(lasting, later).includes(paged);
});

test("a metric of another stage rings nothing here, and silences nothing", () => {
  const theirs = new MetricData();
  const calls = { namespace: "AWS/Lambda", name: "Invocations" };
  for (const startMs of [NOW_MS - 900_000, NOW_MS - 600_000, NOW_MS - 300_000])
    theirs.add({ ...calls, dimensions: { FunctionName: "countinghouse-other-report-expiry" } }, startMs, 1);
  for (const { lines: own } of seen.failingStore)
    for (const line of own)
      for (const startMs of periodsOf(alarms[0] as TemplateResource, NOW_MS))
        theirs.addLine(line.replace(`"stage":"${LOCAL_STAGE}"`, '"stage":"other"'), startMs, 100);
  const ringing = alarms.filter(
    (alarm) => alarmState(alarm, theirs, { nowMs: NOW_MS, bandUpper: 0 }) === "ALARM",
  );
  expect(ringing.map(sectionOf)).toEqual(["uncalled"]);
});
