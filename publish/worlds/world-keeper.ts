import { randomBytes } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { ControlRefusal } from "../../local/control/control-route.ts";
import type { House, WorldSettings } from "../embed/house.ts";
import type { OpenWorld } from "../embed/world.ts";

/** How long a world lives without a request. */
const LIFE_MS = 3_600_000;

const ID_BYTES = 16;

export interface KeeperOptions {
  readonly house: Pick<House, "open" | "world" | "closeWorld">;
  /** The most worlds at a time. */
  readonly most: number;
  /** By which worlds age. */
  readonly steady: Clock;
}

/**
 * The worlds that programs have asked for, each under an id that nobody can guess. There are at most so many at a time,
 * and one that has had no request for an hour ends, because its test may have been killed.
 */
export class WorldKeeper {
  readonly #options: KeeperOptions;
  /** When each world had its last request. One that is being opened does not age. */
  readonly #lastMs = new Map<string, number>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** How many worlds there are, those included that are being opened, and how many there may be. */
  get counts(): { readonly worlds: number; readonly most: number } {
    return { worlds: this.#lastMs.size, most: this.#options.most };
  }

  /** Opens a world. @throws {ControlRefusal} while there are as many as there may be. */
  async open(settings: WorldSettings): Promise<{ readonly id: string; readonly world: OpenWorld }> {
    const { house, most } = this.#options;
    if (this.#lastMs.size >= most)
      throw new ControlRefusal(
        `There are as many worlds as there may be: ${most}. End one by DELETE to its control address, or wait: one ends after an hour without a request.`,
        429,
      );
    const id = randomBytes(ID_BYTES).toString("base64url");
    this.#lastMs.set(id, Number.POSITIVE_INFINITY);
    try {
      const world = await house.open(id, settings);
      this.touch(id);
      return { id, world };
    } catch (error) {
      this.#lastMs.delete(id);
      throw error;
    }
  }

  /** The world with an id, which has a request now; undefined for none. */
  find(id: string): Promise<OpenWorld> | undefined {
    this.touch(id);
    return this.#lastMs.has(id) ? this.#options.house.world(id) : undefined;
  }

  /** Notes a request of a world. */
  touch(id: string): void {
    if (this.#lastMs.has(id)) this.#lastMs.set(id, this.#options.steady());
  }

  async end(id: string): Promise<void> {
    this.#lastMs.delete(id);
    await this.#options.house.closeWorld(id);
  }

  /** Ends the worlds that have had no request for an hour. One that cannot be closed is left to the process's end. */
  async endForgotten(): Promise<void> {
    const isOld = (lastMs: number): boolean => this.#options.steady() - lastMs >= LIFE_MS;
    const old = [...this.#lastMs].filter(([, lastMs]) => isOld(lastMs));
    await Promise.allSettled(old.map(([id]) => this.end(id)));
  }
}
