import { expect, test, vi } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { systemClock } from "../../../lib/clock.ts";
import { processEnvironment } from "../../../local/options.ts";
import { localApplication } from "../../../local/template/local-application.ts";
import { BaseContents } from "../../../publish/embed/base-content.ts";
import { makeAuthority } from "../../../publish/embed/house-authority.ts";
import { Room } from "../../../publish/embed/room.ts";
import { openWorld } from "../../../publish/embed/world.ts";
import { worldFiles } from "../../../publish/embed/world-files.ts";
import { askTrades } from "../../support/embedded.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const HOUR_MS = 3_600_000;

test("a world whose content is two hours old has the trades since, each once, and its time moves between requests", async () => {
  const done: string[] = [];
  const room = new Room();
  const startShiftMs = vi.fn(() => 0);
  const brand = contractBrand;
  const settings = { brand, corsOrigins: [], stockSdk: false };
  const environment = processEnvironment;
  const application = await localApplication(settings, {
    dataDir: scratchDirectory(),
    environment,
    clock: systemClock,
    report: () => {},
  });
  const { tables } = application;
  const contents = new BaseContents((error) => expect.unreachable(String(error)));
  const atMs = systemClock() - 2 * HOUR_MS;
  const content = await contents.of({ tables, brand, atMs, isExact: true, hasDemo: true });
  const authority = await makeAuthority();
  const name = "late";
  const world = await openWorld({
    name,
    application,
    brand,
    startShiftMs,
    content,
    files: await worldFiles("seed", name, authority),
    tls: authority.tls,
    room,
  });
  try {
    const client = { ...world, now: world.clockShift.clock };
    const tradesOf = async (limit: number, range?: string) => {
      const { body } = await askTrades(client, limit, range);
      return (JSON.parse(body) as { data: { tdt: number; tid: string }[] }).data;
    };
    const [newest] = await tradesOf(1);
    expect(systemClock() - (newest?.tdt ?? 0)).toBeLessThan(5 * 60_000);
    // How many trades an hour has depends on the time of day.
    const hour = await tradesOf(200, `&start_date=${atMs}&end_date=${atMs + HOUR_MS}`);
    expect(hour.length).toBeGreaterThan(30);
    expect(new Set(hour.map(({ tid }) => tid)).size).toBe(hour.length);
    const [inside, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(room, "call").mockImplementationOnce(async () => {
      inside.resolve();
      await leave.promise;
      done.push("answered");
      return { statusCode: 204, headers: {}, body: undefined };
    });
    const asked = askTrades(client);
    await inside.promise;
    const moved = world.moveTime("+1d").then(() => done.push("moved"));
    leave.resolve();
    await Promise.all([asked, moved]);
    expect(done).toEqual(["answered", "moved"]);
    startShiftMs.mockImplementationOnce(() => {
      throw new Error("full");
    });
    await expect(world.reset()).rejects.toThrow("full");
    // The functions run again all the same.
    expect(await tradesOf(1)).toHaveLength(1);
  } finally {
    await world.close();
  }
});
