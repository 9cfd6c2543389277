import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { epochMsOf } from "../../client/src/instant.ts";
import { type Brand, contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { ControlRefusal } from "../../local/control/control-route.ts";
import { places } from "../../local/installation.ts";
import { processEnvironment } from "../../local/options.ts";
import { localApplication } from "../../local/template/local-application.ts";
import type { Application } from "../../local/template/template.ts";
import { BaseContents } from "./base-content.ts";
import { type HouseAuthority, makeAuthority } from "./house-authority.ts";
import { OWN_WORLD } from "./messages.ts";
import { Room } from "./room.ts";
import type { StartOptions } from "./types.ts";
import { type OpenWorld, openWorld, type WorldPlace } from "./world.ts";
import { worldFiles } from "./world-files.ts";

/** The settings of a start that a thread can be sent. */
export type HouseSettings = Omit<StartOptions, "log">;

export interface HouseOptions extends HouseSettings {
  /** Receives the lines of worlds, one at least for each request; absent for none. */
  readonly line?: (world: string, line: string) => void;
  /** The address that worlds listen on, if not that of this machine alone. */
  readonly host?: string;
}

/** The settings in which a world may differ from its house. With a seed of its own, its name makes no difference to keys. */
export interface WorldSettings extends Omit<HouseSettings, "corsOrigins"> {
  readonly place?: WorldPlace;
}

const SEED = "countinghouse";

const SCRATCH_PREFIX = "countinghouse-embedded-";

/** The worlds of one process, and what they have in common. */
export class House {
  readonly #options: HouseOptions;
  readonly #contents: BaseContents;
  readonly #authority: Promise<HouseAuthority>;
  readonly #applications = new Map<string, Promise<Application>>();
  readonly #worlds = new Map<string, Promise<OpenWorld>>();
  readonly #room = new Room();
  #scratch: Promise<string> | undefined;

  constructor(options: HouseOptions) {
    this.#options = options;
    this.#contents = new BaseContents((error) => options.line?.("", String(error)));
    this.#authority = makeAuthority(options.host);
    // It may fail before a world awaits it.
    this.#authority.catch(() => {});
  }

  /** Opens a world, with the house's settings in place of those that are not given. @throws {ControlRefusal} for a name that is taken. */
  async open(name: string, given: WorldSettings = {}): Promise<OpenWorld> {
    if (this.#worlds.has(name))
      throw new ControlRefusal(`The world ${name} is open already. Close it first, or give another name.`);
    const opening = this.#open(name, given);
    this.#worlds.set(name, opening);
    try {
      return await opening;
    } catch (error) {
      this.#worlds.delete(name);
      throw error;
    }
  }

  /** An open world; undefined for any other name. */
  world(name: string): Promise<OpenWorld> | undefined {
    return this.#worlds.get(name);
  }

  async closeWorld(name: string): Promise<void> {
    const closing = this.#worlds.get(name);
    this.#worlds.delete(name);
    await (await closing)?.close();
  }

  /** Closes every world. */
  async close(): Promise<void> {
    await Promise.all([...this.#worlds.keys()].map((name) => this.closeWorld(name)));
    if (this.#scratch !== undefined) await rm(await this.#scratch, { recursive: true, force: true });
  }

  async #open(name: string, given: WorldSettings): Promise<OpenWorld> {
    const { seed = SEED, line } = this.#options;
    const brand = { ...contractBrand, ...this.#options.brand, ...given.brand };
    const asked = given.now ?? this.#options.now;
    const now = asked === undefined ? undefined : epochMsOf(asked);
    const hasDemo = given.demo ?? this.#options.demo ?? true;
    const startShiftMs = () => (now === undefined ? 0 : now - systemClock());
    const order = { brand, atMs: now ?? systemClock(), isExact: now !== undefined, hasDemo };
    const application = await this.#applicationOf(brand);
    const [content, authority] = await Promise.all([
      this.#contents.of({ ...order, tables: application.tables }),
      this.#authority,
    ]);
    const files = await (given.seed === undefined
      ? worldFiles(seed, name, authority)
      : worldFiles(given.seed, OWN_WORLD, authority));
    return openWorld({
      name,
      application,
      brand,
      startShiftMs,
      isTomorrow: given.tomorrow ?? this.#options.tomorrow ?? false,
      content,
      files,
      tls: authority.tls,
      room: this.#room,
      ...(given.place !== undefined && { place: given.place }),
      ...(line !== undefined && { line: (text: string) => line(name, text) }),
    });
  }

  #applicationOf(brand: Brand): Promise<Application> {
    const name = JSON.stringify(brand);
    const known = this.#applications.get(name) ?? this.#readApplication(brand);
    this.#applications.set(name, known);
    return known;
  }

  async #readApplication(brand: Brand): Promise<Application> {
    const settings = { brand, corsOrigins: this.#options.corsOrigins ?? [], stockSdk: false };
    const dataDir = await this.#assemblyDirectory();
    return localApplication(settings, {
      dataDir,
      environment: processEnvironment,
      clock: systemClock,
      report: () => {},
    });
  }

  /**
   * A clone of the project synthesizes the template into a directory, which the functions are then loaded from. The npm
   * package has its assembly, and writes nothing.
   */
  async #assemblyDirectory(): Promise<string> {
    if ("readyAssembly" in places.template) return places.template.readyAssembly;
    this.#scratch ??= mkdtemp(join(tmpdir(), SCRATCH_PREFIX));
    return this.#scratch;
  }
}
