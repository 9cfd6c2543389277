import { isIPv4 } from "node:net";
import { commands } from "../installation.ts";

/** What is known of a start when it listens. */
interface Listening {
  readonly host: string;
  readonly hasPage: boolean;
}

/** Tells a user who listens beyond this machine what the page offers there; nothing otherwise. */
export const exposureWarnings = ({ host, hasPage }: Listening): readonly string[] =>
  !hasPage || isLoopback(host)
    ? []
    : [
        `Everybody who reaches ${host} can open the page, which has the demo's keys and switches faults on. ${commands.startWith} --no-page leaves it out.`,
      ];

/** Whether only programs of this machine reach an address that is listened on. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
