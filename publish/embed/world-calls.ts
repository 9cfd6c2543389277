import { ControlRefusal } from "../../local/control/control-route.ts";
import { advanceRecord } from "../../local/demo/advance/advance-record.ts";
import { claimsOf } from "../../local/identity/local-token.ts";
import { LAST_MS, YEARS } from "./doors.ts";
import { importRecords } from "./import-records.ts";
import type { AdvanceReport, FaultOptions, ImportOrder, RecordKind, TokenOrder } from "./types.ts";
import type { OpenWorld } from "./world.ts";

/** Follows the call of a world's method. Its arguments are checked. @throws {ControlRefusal} where they cannot be followed. */
export async function callWorld(
  opening: Promise<OpenWorld>,
  method: string,
  given: readonly unknown[],
): Promise<unknown> {
  const world = await opening;
  const call = CALLS[method as keyof typeof CALLS] as (world: OpenWorld, ...given: unknown[]) => unknown;
  return await call(world, ...given);
}

const CALLS = {
  issueToken,
  importRecords: ({ operatorStore, credentials, clockShift }, kind: RecordKind, order: ImportOrder) =>
    importRecords({ store: operatorStore, credentials, clock: clockShift.clock }, kind, order),
  advance,
  passTime,
  fault,
  clearFaults: ({ faults }, endpoint?: string) => faults.clear(endpoint),
  reset: ({ reset }) => reset(),
} satisfies Record<string, (world: OpenWorld, ...given: never[]) => unknown>;

function issueToken({ issuer, credentials }: OpenWorld, order: TokenOrder = {}): Promise<string> {
  const { business, wallet, scopes, expiresInS: lifeS, audience } = order;
  if (business !== undefined && wallet !== undefined)
    throw new ControlRefusal("A token speaks for a business or for a wallet, not for both.");
  return issuer.mintToken({
    ...claimsOf(wallet === undefined ? { business: business ?? credentials.business.id } : { wallet }),
    ...(scopes !== undefined && { scope: scopes.join(" ") }),
    ...(audience !== undefined && { audience }),
    ...(lifeS !== undefined && { lifeS }),
  });
}

async function advance(
  { operatorStore, clockShift }: OpenWorld,
  id: string,
  to?: string,
): Promise<AdvanceReport> {
  const step = { id, idsIn: "`credentials`", ...(to !== undefined && { to }) };
  const { kind, ...taken } = await advanceRecord(operatorStore, step, clockShift.clock);
  return { kind: kind.noun, id, from: taken.from, to: taken.to };
}

function passTime({ clockShift }: OpenWorld, ms: number): number {
  if (ms > 0 && clockShift.clock() + ms > LAST_MS)
    throw new ControlRefusal(
      `passTime: a world stays in the years ${YEARS}, and ${ms} ms later it is past them.`,
    );
  clockShift.ms += ms;
  return clockShift.clock();
}

async function fault(
  { faults }: OpenWorld,
  route: string,
  kind: string,
  { byMs, ...options }: FaultOptions = {},
): Promise<void> {
  await faults.set({ route, fault: kind, ...options, ...(byMs !== undefined && { delayMs: byMs }) });
}
