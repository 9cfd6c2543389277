import { type ServedRoute, serveRoute } from "../control/control-route.ts";
import { clearFaults, listFaults, setFault } from "./fault-routes.ts";
import type { Faults } from "./faults.ts";

/** The routes of the control channel that steer faults. */
export const faultRoutes = (
  faults: Faults,
): readonly [set: ServedRoute, list: ServedRoute, clear: ServedRoute] => [
  serveRoute(setFault, (wanted) => faults.set(wanted)),
  serveRoute(listFaults, () => faults.list()),
  serveRoute(clearFaults, async ({ route }) => ({ cleared: await faults.clear(route) })),
];
