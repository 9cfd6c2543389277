import * as z from "zod/mini";
import { endpoints } from "../../infra/endpoints.ts";
import { tablesOf } from "../../lib/dynamo/table.ts";
import { type ServedRoute, serveRoute } from "../control/control-route.ts";
import { type DemoFile, readDemoFile } from "../demo/demo-file.ts";
import type { DemoParts } from "../demo/prepare-demo.ts";
import { type Faults, faultRoutes } from "../faults/faults.ts";
import { explanationsOf, type History } from "../history/history.ts";
import { resetRoute } from "../reset/reset-routes.ts";
import type { StoreReset } from "../reset/store-reset.ts";
import { liveTradesAnswers } from "./live-trades.ts";
import type { QuestionName } from "./page-questions.ts";
import { sessionOf } from "./page-session.ts";
import { recordRoutes } from "./record-routes.ts";
import { refusalRoutes } from "./refusal-routes.ts";
import { tokenAnswers } from "./token-route.ts";

/** What the questions of the page are answered from: the parts of a running service. */
export interface PageRoutesParts {
  readonly demoParts: DemoParts;
  /** The text of the OpenAPI document. */
  readonly openApi: string;
  readonly faults: Faults;
  readonly history: History;
  readonly reset: Pick<StoreReset, "run">;
}

const sessionRoute = { name: "session", input: z.object({}), output: z.any() };

/** The questions of the page with their answers. Those that `npm run ops` asks as well are answered by the same code. */
export function pageRoutes(parts: PageRoutesParts): readonly ServedRoute[] {
  const { demoParts, openApi, faults, history, reset } = parts;
  const { dataDir, brand, clock, issuer, client, stage } = demoParts;
  const startedAt = clock();
  const table = tablesOf(client, stage);
  // Read for each question: a reset makes new credentials.
  const demo = async (): Promise<DemoFile> => (await readDemoFile(dataDir)) as DemoFile;
  const [set, list, clear] = faultRoutes(faults);
  return [
    serveRoute(sessionRoute, async () =>
      sessionOf({ demo: await demo(), brand, endpoints, openApi, startedAt }),
    ),
    ...recordRoutes({ table, brand, clock }),
    liveTradesAnswers({ table: table("Trades"), clock }),
    tokenAnswers({ demo, issuer }),
    named("faults", list),
    named("set-fault", set),
    named("clear-faults", clear),
    named("explain", explanationsOf(history)),
    ...refusalRoutes({ credentials: table("Credentials"), brand, clock }),
    serveRoute(resetRoute, () => reset.run()),
  ];
}

const named = (name: QuestionName, { answer }: ServedRoute): ServedRoute => ({ name, answer });
