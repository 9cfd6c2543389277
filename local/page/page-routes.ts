import * as z from "zod/mini";
import { type ServedRoute, serveRoute } from "../control/control-route.ts";
import type { Faults } from "../faults/faults.ts";
import { faultRoutes } from "../faults/serve-faults.ts";
import type { History } from "../history/history.ts";
import { explanationsOf } from "../history/serve-explanations.ts";
import { resetRoute } from "../reset/reset-routes.ts";
import type { StoreReset } from "../reset/store-reset.ts";
import type { QuestionName, Session } from "./page-questions.ts";

export interface PageRoutesParts {
  readonly session: () => Promise<Session>;
  readonly faults: Faults;
  readonly history: History;
  readonly reset: Pick<StoreReset, "run">;
}

const nothing = z.object({});
const anything = z.any();

/** The questions of the page with their answers. Those that `npm run ops` asks as well are answered by the same code. */
export function pageRoutes({ session, faults, history, reset }: PageRoutesParts): readonly ServedRoute[] {
  const named = (name: QuestionName, { answer }: ServedRoute): ServedRoute => ({ name, answer });
  const [set, list, clear] = faultRoutes(faults) as [ServedRoute, ServedRoute, ServedRoute];
  return [
    serveRoute({ name: "session", input: nothing, output: anything }, session),
    named("faults", list),
    named("set-fault", set),
    named("clear-faults", clear),
    named("explain", explanationsOf(history)),
    serveRoute(resetRoute, () => reset.run()),
  ];
}
