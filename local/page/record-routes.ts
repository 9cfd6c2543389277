import * as z from "zod/mini";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { ControlRefusal, type ServedRoute, serveRoute } from "../control/control-route.ts";
import { advanceRecord, type FoundRecord, findRecord } from "../demo/advance/advance-record.ts";
import { OperatorError } from "../process/operator-error.ts";
import type { AdvancedRecord, RecordState } from "./page-questions.ts";

export interface RecordParts {
  readonly table: (name: TableName) => Table;
  readonly brand: Brand;
  readonly clock: Clock;
}

const anything = z.any();

const stateRoute = { name: "state", input: z.object({ id: z.string() }), output: anything };

const advanceRoute = {
  name: "advance",
  input: z.object({ id: z.string(), to: z.optional(z.string()) }),
  output: anything,
};

/** The questions that show a record of the demo and move it on, by the code of `npm run ops -- demo advance`. */
export function recordRoutes({ clock, ...parts }: RecordParts): readonly ServedRoute[] {
  const store = { ...parts, name: "the local store" };
  return [
    serveRoute(stateRoute, ({ id }) =>
      refusing(async () => stateOf(id, await findRecord(store, { id }), parts.brand)),
    ),
    serveRoute(advanceRoute, ({ id, to }) =>
      refusing(async (): Promise<AdvancedRecord> => {
        const taken = await advanceRecord(store, { id, to }, clock);
        return { ...stateOf(id, taken, parts.brand), from: taken.from, unusual: taken.unusual ?? null };
      }),
    ),
  ];
}

const stateOf = (id: string, { kind, record: { members } }: FoundRecord, brand: Brand): RecordState => ({
  kind: kind.noun as RecordState["kind"],
  id,
  state: kind.stateOf(members),
  next: kind.reaches(members, brand),
});

/** What an operator can act on, the page's visitor can too. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperatorError) throw new ControlRefusal(error.message);
    throw error;
  }
}
