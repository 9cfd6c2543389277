import { vi } from "vitest";
import { endpoints } from "../../../infra/endpoints.ts";
import { refreshReport } from "../../../lib/auth/report-refresh.ts";
import type { Clock } from "../../../lib/clock.ts";
import { INGEST_NAME } from "../../../lib/ingest/settings.ts";
import { type Log, logOf } from "../../../lib/log.ts";
import { SwitchStore } from "../../../lib/switches/switch-store.ts";
import { DamagedSegment } from "../../../lib/trades/read-segment.ts";
import { reportDamage } from "../../../lib/trades/report-damage.ts";
import { keepKeySets } from "../../../lib/upkeep/keep-key-sets.ts";
import { type ExpiringKind, reportDays } from "../../../lib/upkeep/report-days.ts";
import { reportSwitches } from "../../../lib/upkeep/report-switches.ts";
import { UPKEEP_NAME } from "../../../lib/upkeep/settings.ts";
import { LOCAL_STAGE } from "../../../local/template/local-stage.ts";
import type { TestService } from "../service.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 29);

/** What functions write beside requests: at reports of the scheduled function, and when an issuer is silent. */
export interface Reports {
  readonly switchedOn: readonly string[];
  readonly switchedOff: readonly string[];
  readonly silentIssuer: readonly string[];
  readonly damagedWithdrawals: readonly string[];
  readonly days: (left: number) => readonly string[];
}

/** The lines that a part of a function writes, as its log writes them. */
async function linesOf(
  endpoint: string,
  work: (parts: { readonly clock: Clock; readonly log: Log }) => unknown,
): Promise<readonly string[]> {
  const written: string[] = [];
  const output = vi
    .spyOn(process.stdout, "write")
    .mockImplementation((line) => written.push(String(line)) > 0);
  await work({ clock: () => NOW_MS, log: logOf({ stage: LOCAL_STAGE, endpoint }) });
  output.mockRestore();
  return written;
}

/** The reports of the scheduled function about switches that are as the store has them. */
export const switchReport = (service: TestService): Promise<readonly string[]> =>
  linesOf(UPKEEP_NAME, ({ clock, log }) =>
    reportSwitches({
      endpoints: endpoints.map(({ contract }) => contract.name),
      switches: new SwitchStore(service.table("Settings"), clock),
      clock,
      log,
    }),
  );

/** What each function that asks for an issuer's keys writes when it gets none. */
export async function silentIssuer(jwksUrl: string): Promise<readonly string[]> {
  const withTokens = endpoints.filter(({ tokens }) => tokens !== undefined);
  const written: string[] = [];
  for (const name of [UPKEEP_NAME, ...withTokens.map(({ contract }) => contract.name)])
    written.push(
      ...(await linesOf(name, ({ clock, log }) =>
        keepKeySets({
          urls: [jwksUrl],
          register: { put: () => Promise.reject(new Error("There is no set to keep.")) },
          clock,
          reportFailure: refreshReport({ clock, log }),
          fetchText: () => Promise.reject(refusedConnection()),
        }),
      )),
    );
  return written;
}

/** A connection that was refused: a code as the platform's errors have one, with each cause of the error. */
const refusedConnection = (depth = 2): Error => {
  const cause = depth > 0 ? { cause: refusedConnection(depth - 1) } : {};
  return Object.assign(new Error("The issuer is silent.", cause), { code: "ECONNREFUSED" });
};

/** What the function that takes in messages says of a segment of withdrawals that it cannot read. */
export function damagedWithdrawals(): Promise<Reports["damagedWithdrawals"]> {
  const segment = { partition: "BTC-USD#649#withdrawn", sort: Buffer.alloc(28), payload: Buffer.from("?") };
  const damaged = new DamagedSegment(segment, new RangeError());
  return linesOf(INGEST_NAME, (parts) => reportDamage("BTC-USD", damaged, parts));
}

/** The report of a day on which something of each kind ends in so many days and a bit. */
export async function expiryReports(): Promise<Reports["days"]> {
  const kinds: readonly ExpiringKind[] = ["credential", "client_certificate", "truststore"];
  const reports = new Map<number, readonly string[]>();
  for (const left of [29, 30]) {
    const all = kinds.map((kind) => ({ kind, name: kind, expiresAt: NOW_MS + (left + 0.5) * DAY_MS }));
    reports.set(left, await linesOf(UPKEEP_NAME, (parts) => reportDays(all, parts)));
  }
  return (left) => reports.get(left) ?? [];
}
