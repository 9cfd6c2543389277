import { commands } from "../installation.ts";
import type { Hint } from "./request-seen.ts";
import { shownName } from "./shown-name.ts";

/** Says how to answer under a name that was refused, to a person who gave this machine the name. */
export const hostHints: Hint = ({ exchange: { headers }, isOwnHost }) => {
  const { host = "" } = headers;
  if (isOwnHost(host)) return [];
  const name = shownName(host.replace(/:\d*$/, ""));
  const allowed = name === undefined ? "NAME" : name.slice(1, -1);
  return [
    `The Host ${name ?? "of the request"} is a public name, which any web page may have pointed at this machine. If it is yours, start with: ${commands.startWith} --allow-host ${allowed}`,
  ];
};
