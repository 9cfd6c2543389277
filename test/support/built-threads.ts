import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock } from "../../lib/clock.ts";
import { builtCode } from "../../local/code/built-code.ts";
import { places } from "../../local/installation.ts";

const SOURCES = /^.*\/local\/(.*)\.ts$/;

/** The threads' files below the built code. */
function threadsIn(directory: string): Partial<typeof places> {
  const { storeThread, functionThread, tradesThread } = places;
  const threads = Object.entries({ storeThread, functionThread, tradesThread });
  const built = ({ href }: URL) => href.replace(SOURCES, `${pathToFileURL(directory).href}/$1.mjs`);
  return Object.fromEntries(threads.map(([name, source]) => [name, new URL(built(source))]));
}

/**
 * Set up for each file: threads run the built code, as those of `npm start` do, and start in half of the time. A process
 * finds the code once, or builds it. Where it cannot be built, the sources say what is wrong.
 */
if (SOURCES.test(places.storeThread.href)) {
  const projectRoot = resolve(import.meta.dirname, "../..");
  const cacheDirectory = resolve(projectRoot, "node_modules/.cache/countinghouse-built");
  const building = builtCode({ projectRoot, cacheDirectory, clock: systemClock, isOnlyBuilder: true });
  await building.then(
    (directory) => Object.assign(places, threadsIn(directory)),
    () => {},
  );
}
