import { UPKEEP_NAME } from "../../lib/upkeep/settings.ts";
import { endpoints } from "../endpoints.ts";
import type { JoinedAlarm } from "./alarm.ts";

const names = endpoints.map(({ contract }) => contract.name);
const withTokens = endpoints.filter(({ tokens }) => tokens !== undefined);

/**
 * The alarms that page for others. An alarm that rings already tells nobody of what begins later, so only alarms of one
 * fault are joined: what else pages does so by itself.
 */
export const joinedAlarms: readonly JoinedAlarm[] = [
  ...names.map((name) => ({
    name: `page-gateway-${name}`,
    section: "gateway",
    meaning: `The gateway answers requests to ${name} with a 5xx of its own, and no crash explains it.`,
    anyOf: [`gateway-${name}`],
    unless: `crash-${name}`,
  })),
  {
    name: "page-issuer",
    section: "issuer",
    meaning: "The keys of the token issuer cannot be fetched.",
    anyOf: [UPKEEP_NAME, ...withTokens.map(({ contract }) => contract.name)].map((name) => `issuer-${name}`),
  },
];
