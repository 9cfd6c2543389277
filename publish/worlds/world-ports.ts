import { claimPort } from "../../local/gateway/port.ts";
import { StartError } from "../../local/process/start-error.ts";
import { anyPort, type WorldPlace } from "../embed/world.ts";

/**
 * Gives each world a port of a list, which is given back when the world ends, or any free one.
 *
 * @throws {StartError} while there is none in the list.
 */
export function takePorts(ports: readonly number[] | undefined, host: string): WorldPlace["takePort"] {
  if (ports === undefined) return anyPort;
  const taken = new Set<number>();
  return async (running) => {
    for (const port of ports) {
      if (taken.has(port)) continue;
      taken.add(port);
      const claimed = await claimPort(port, host).catch(() => undefined);
      if (claimed === undefined) taken.delete(port);
      else {
        running.defer(() => void taken.delete(port));
        return claimed;
      }
    }
    throw new StartError(
      "Other programs use the ports of --world-ports, so there is none for another world.",
    );
  };
}
