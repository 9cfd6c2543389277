import { DISK_FULL_EXCEPTION } from "../../../local/store/full-disk.ts";
import * as acts from "./acts.ts";
import type { EndOfThread } from "./fragile-function.ts";
import type { IngestOutcomeName } from "./ingest-outcomes.ts";
import { type Cells, everywhere, whereTokens } from "./outcomes.ts";

const HOUR_MS = 3_600_000;

/** A wrong clock of the functions. That of their callers is wrong by the same in the other direction. */
export interface ClockFault {
  readonly what: string;
  readonly aheadMs: number;
  /** How long the callers' tokens last; by default for a month. */
  readonly tokenLifeS?: number;
  readonly answers: Cells;
  /** What becomes of messages with records; absent where the fault is the callers' alone. */
  readonly ingest?: IngestOutcomeName;
}

export const clockFaults: readonly ClockFault[] = [
  {
    what: "is an hour ahead",
    aheadMs: HOUR_MS,
    answers: { ...everywhere("served"), "list-trades": "refused" },
    ingest: "stored",
  },
  {
    what: "is an hour ahead, and tokens last for half an hour",
    aheadMs: HOUR_MS,
    tokenLifeS: 1_800,
    answers: { ...whereTokens("refused"), "list-trades": "refused" },
  },
  {
    what: "is an hour behind",
    aheadMs: -HOUR_MS,
    answers: { ...whereTokens("refused"), "list-trades": "early" },
    ingest: "stored",
  },
];

/** The end of the thread, or of the process, that works on a request. */
export const threadFaults: readonly {
  readonly what: string;
  readonly endsBy: EndOfThread;
  readonly answers: Cells;
  readonly ingest: IngestOutcomeName;
}[] = [
  { what: "is killed", endsBy: "killed", answers: everywhere("crashed"), ingest: "ended" },
  {
    what: "needs more memory than it has",
    endsBy: "out of memory",
    answers: everywhere("crashed"),
    ingest: "ended",
  },
];

/** What the store of `npm start` answers when its disk is full. */
export const fullDisk = {
  what: "has a full disk",
  act: acts.refused(400, DISK_FULL_EXCEPTION),
  answers: everywhere("broken"),
  ingest: "lasting",
} as const;
