import { type ServedRoute, serveRoute } from "../control/control-route.ts";
import { explainAnswer } from "./explain-route.ts";
import type { History } from "./history.ts";

/** The route of the control channel that explains remembered answers. */
export const explanationsOf = (history: History): ServedRoute =>
  serveRoute(explainAnswer, ({ id }) => {
    const explanation = history.find(id);
    return { remembered: history.size, ...(explanation !== undefined && { explanation }) };
  });
