import { randomBytes } from "node:crypto";
import type { Desk } from "../gateway/gateway.ts";
import type { HostRule } from "../gateway/host-rule.ts";
import { contractOf, errorBodyOf } from "../hints/request-seen.ts";
import { shownTarget } from "../http/shown-target.ts";
import type { RequestReport } from "../log/request-line.ts";
import { LiveLog } from "./live-log.ts";
import { createPageDesk } from "./page-desk.ts";
import type { LogEvent } from "./page-questions.ts";
import { type PageRoutesParts, pageRoutes } from "./page-routes.ts";
import { openPageSource, type PageSourceOptions } from "./page-source.ts";

const KEY_BYTES = 32;

export interface PageOptions extends PageSourceOptions {
  readonly log: (line: string) => void;
  /** Receives a line about progress for the user. */
  readonly report: (line: string) => void;
}

/** The page of a service, until it is closed. */
export interface OpenPage {
  /** Tells the live log of a request. */
  readonly answered: (report: RequestReport) => void;
  /** The desk that answers for the page, with what its questions are answered from. */
  desk(parts: PageRoutesParts & { readonly isOwnHost: HostRule; readonly basePath: string }): Desk;
  /** Ends a build under way, and every stream of the live log. */
  close(): Promise<void>;
}

/** Opens a page that is built, or read where it was built before, when a browser first asks for it. */
export function openPage(options: PageOptions): OpenPage {
  const { clock, log, report } = options;
  const key = randomBytes(KEY_BYTES).toString("base64url");
  const building = (): void => report("Building the page (once for each change of its sources) …");
  const source = openPageSource(options, { building, failed: log });
  const liveLog = new LiveLog(String(clock()));
  return {
    answered: (report) => liveLog.tell(logEventOf(report)),
    desk: (parts) => createPageDesk({ ...parts, routes: pageRoutes(parts), source, liveLog, key, log }),
    close: async () => {
      liveLog.close();
      await source.close();
    },
  };
}

/** A request that was answered, as the live log tells it. */
function logEventOf({ exchange, hints, bill }: RequestReport): LogEvent {
  const { requestId, receivedAtMs, durationMs, method, sentTarget, response } = exchange;
  return {
    requestId,
    at: receivedAtMs,
    method,
    target: shownTarget(sentTarget),
    endpoint: contractOf(exchange)?.name ?? null,
    status: response.ending === "reset" ? 0 : response.statusCode,
    tookMs: durationMs,
    ...(bill !== undefined && { billedUnits: bill.readUnits + bill.writeUnits }),
    hints,
    fault: response.fault ?? null,
    error: response.statusCode < 400 ? null : (errorBodyOf(response)?.code ?? null),
  };
}
