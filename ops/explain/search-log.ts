import * as z from "zod/mini";
import type { Clock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { instantText } from "../terminal/write-table.ts";
import type { AskLogs } from "./logs-client.ts";
import { isAbout, type Line, readLine } from "./read-lines.ts";

/** What a search works with. */
export interface Searching {
  readonly ask: AskLogs;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly progress: (text: string) => void;
}

/** What a search found. */
export interface Found {
  /** Every line about the request, the oldest first; none when no line has the id. */
  readonly lines: readonly Line[];
  /** How many lines were looked at. */
  readonly scanned: number;
}

const HOUR_MS = 3_600_000;
/** Most ids are of today, and CloudWatch bills by what it reads. */
const RECENT_MS = 3 * HOUR_MS;
/** How far apart the lines of one request may be. */
const APART_MS = HOUR_MS / 12;
const LINES_MAX = 50;

/**
 * Searches all logs of a stage, since an instant in epoch ms, for a line that has an id, and then for every line about the
 * same request: the gateway, the function and Lambda have different ids for it.
 *
 * @throws {OperatorError} where the stage has no logs, or the search does not come to its end.
 */
export async function searchLog(
  searching: Searching,
  { stageName, id, sinceMs }: { readonly stageName: string; readonly id: string; readonly sinceMs: number },
): Promise<Found> {
  const groups = await groupsOf(searching, stageName);
  const now = searching.clock();
  let found: Found = { lines: [], scanned: 0 };
  for (const from of new Set([Math.max(sinceMs, now - RECENT_MS), sinceMs])) {
    found = await query(searching, { groups, ids: [id], from, to: now, isFirstEnough: true });
    const [line] = found.lines;
    if (line === undefined) continue;
    const around = { from: line.atMs - APART_MS, to: Math.min(now, line.atMs + APART_MS) };
    return await query(searching, { groups, ids: line.ids, ...around });
  }
  return found;
}

const definitions = z.object({
  queryDefinitions: z.array(z.object({ logGroupNames: z.array(z.string()) })),
});

/** The saved query that reads all logs knows their names, which CloudFormation has ended. */
async function groupsOf({ ask }: Searching, stageName: string): Promise<readonly string[]> {
  const queryDefinitionNamePrefix = `countinghouse/${stageName}/Find by request id`;
  const answer = await ask("DescribeQueryDefinitions", { queryDefinitionNamePrefix });
  const [definition] = definitions.parse(answer).queryDefinitions;
  if (definition !== undefined) return definition.logGroupNames;
  throw new OperatorError(
    `There are no logs of the stage ${stageName} in this account and region. Check both, or deploy the stage first.`,
  );
}

interface Query {
  readonly groups: readonly string[];
  /** Each line is about one of them. */
  readonly ids: readonly string[];
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
  /** Whether the first lines are enough, so that the end is not waited for. */
  readonly isFirstEnough?: boolean;
}

const results = z.object({
  status: z.string(),
  results: z._default(z.array(z.array(z.object({ field: z.string(), value: z.string() }))), []),
  statistics: z._default(z.object({ recordsScanned: z._default(z.number(), 0) }), { recordsScanned: 0 }),
});

const PAUSE_MS = 1_000;

/** Runs a query of Logs Insights to its end, or until what came is enough. */
async function query(
  { ask, wait, progress }: Searching,
  { groups, ids, from, to, isFirstEnough }: Query,
): Promise<Found> {
  const answer = await ask("StartQuery", {
    logGroupNames: groups,
    startTime: Math.floor(from / 1_000),
    endTime: Math.ceil(to / 1_000),
    queryString: `filter ${ids.map((id) => `@message like "${id}"`).join(" or ")}\n| fields @timestamp, @message\n| sort @timestamp asc\n| limit ${LINES_MAX}`,
  });
  const { queryId } = z.object({ queryId: z.string() }).parse(answer);
  for (;;) {
    const seen = results.parse(await ask("GetQueryResults", { queryId }));
    const lines = seen.results.map(lineIn).filter((line) => isAbout(line, ids));
    const { recordsScanned: scanned } = seen.statistics;
    if (seen.status === "Complete" || (isFirstEnough && lines.length > 0)) return { lines, scanned };
    if (seen.status !== "Scheduled" && seen.status !== "Running")
      throw new OperatorError(`The search of the logs ended as ${seen.status}. Give a shorter --since.`);
    progress(`searched ${inThousands(scanned)} lines since ${instantText(from)}`);
    await wait(PAUSE_MS);
  }
}

/** A row of an answer. Its instants are in UTC, as in `2026-11-29 08:00:00.000`. */
function lineIn(row: readonly { readonly field: string; readonly value: string }[]): Line {
  const value = (name: string) => row.find(({ field }) => field === name)?.value ?? "";
  return readLine(Date.parse(`${value("@timestamp").replace(" ", "T")}Z`), value("@message"));
}
