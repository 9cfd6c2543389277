import { randomBytes } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import type { House, WorldSettings } from "../embed/house.ts";
import type { OpenWorld } from "../embed/world.ts";

/** How long a world lives without a request. */
const LIFE_MS = 3_600_000;

const ID_BYTES = 16;

export interface KeeperOptions {
  readonly house: Pick<House, "open" | "closeWorld">;
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
  readonly most: number;
  readonly #house: KeeperOptions["house"];
  readonly #steady: Clock;
  /** When each world had its last request. */
  readonly #lastMs = new Map<string, number>();
  readonly #open = new Map<string, OpenWorld>();

  constructor({ house, most, steady }: KeeperOptions) {
    this.most = most;
    this.#house = house;
    this.#steady = steady;
  }

  /** How many worlds there are, those included that are being opened. */
  get count(): number {
    return this.#lastMs.size;
  }

  /** Opens a world; undefined while there are as many as there may be. */
  async open(
    settings: WorldSettings,
  ): Promise<{ readonly id: string; readonly world: OpenWorld } | undefined> {
    if (this.count >= this.most) return undefined;
    const id = randomBytes(ID_BYTES).toString("base64url");
    this.#lastMs.set(id, Number.POSITIVE_INFINITY);
    try {
      const world = await this.#house.open(id, settings);
      this.#open.set(id, world);
      this.#lastMs.set(id, this.#steady());
      return { id, world };
    } catch (error) {
      this.#lastMs.delete(id);
      throw error;
    }
  }

  /** The world with an id, which has a request now; undefined for none. */
  find(id: string): OpenWorld | undefined {
    this.touch(id);
    return this.#open.get(id);
  }

  /** Notes a request of a world. */
  touch(id: string): void {
    if (this.#open.has(id)) this.#lastMs.set(id, this.#steady());
  }

  async end(id: string): Promise<void> {
    this.#open.delete(id);
    this.#lastMs.delete(id);
    await this.#house.closeWorld(id);
  }

  /** Ends the worlds that have had no request for an hour. One that cannot be closed is left to the process's end. */
  endForgotten(): Promise<void> {
    return this.#endEach([...this.#lastMs].filter(([, lastMs]) => this.#steady() - lastMs >= LIFE_MS));
  }

  /** Ends every open world, so that what they were doing is known to have been ended. */
  endAll(): Promise<void> {
    return this.#endEach([...this.#open]);
  }

  async #endEach(worlds: readonly (readonly [id: string, ...unknown[]])[]): Promise<void> {
    await Promise.allSettled(worlds.map(([id]) => this.end(id)));
  }
}
