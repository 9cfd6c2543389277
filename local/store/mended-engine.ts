import conditionParser from "dynalite/db/conditionParser.js";
import {
  create,
  type Database,
  type EngineOptions,
  type Iterator,
  type Lockable,
  type Release,
  type Store,
  type Taker,
} from "dynalite/db/index.js";
import updateParser from "dynalite/db/updateParser.js";
import { keepTrees } from "./known-expressions.ts";
import { inRequest, requestUnderWay } from "./request-under-way.ts";

// dynalite parses every expression of every request, which is a fifth of a write. Projections take no time worth saving.
for (const parser of [conditionParser, updateParser]) keepTrees(parser);

/**
 * Opens dynalite's store, and mends two faults of the installed version. Its streams end iterators by `return()`, a method
 * that the iterators of its database lack, so that each query leaves an iterator open: the iterators get the method. An
 * error in a callback leaves the request's keys locked: the request's `leftovers` unlock the keys.
 */
export const openMendedStore = (options: EngineOptions): Store => mend(create(options));

function mend(store: Store): Store {
  const { db, getItemDb } = store;
  const [get, keys, values] = [db.get.bind(db), db.keys.bind(db), db.values.bind(db)];
  // LevelDB calls this too, with options in place of a callback.
  db.get = ((key: string, take?: Taker | object) =>
    typeof take === "function" ? readAtOnce(db, key, take as Taker, get) : get(key)) as Database["get"];
  db.keys = (range) => endable(keys(range));
  db.values = (range) => endable(values(range));
  const mended = new WeakSet<Lockable>();
  store.getItemDb = (name) => {
    const items = getItemDb(name);
    if (!mended.has(items)) giveLocksBack(items);
    mended.add(items);
    return items;
  };
  giveLocksBack(store.tableDb);
  return store;
}

/**
 * Reads a value in this thread: LevelDB has it in memory or in a file that it has open, and to ask one of its threads costs
 * more than the read. A database that is not open yet, or any more, is asked as before.
 */
function readAtOnce(db: Database, key: string, take: Taker, get: Database["get"]): void {
  let value: unknown;
  try {
    value = db.getSync(key);
  } catch {
    get(key, take);
    return;
  }
  // Later, as dynalite's own read: a request that reads again and again holds no other back.
  setImmediate(take, null, value);
}

/** An iterator with the `return()` that dynalite calls. It closes when its request fails. */
function endable(iterator: Iterator): Iterator {
  const leftovers = requestUnderWay()?.leftovers;
  const end = async (): Promise<void> => {
    leftovers?.delete(giveBack);
    await iterator.close();
  };
  const giveBack = (): void => void end();
  leftovers?.add(giveBack);
  return Object.assign(iterator, { return: end });
}

/** Unlocks the keys of a request that fails. A request that waited for a lock goes on in its own context. */
function giveLocksBack(lockable: Lockable): void {
  const { lock } = lockable;
  lockable.lock = (key, act) => {
    const request = requestUnderWay();
    if (request === undefined) {
      lock(key, act);
      return;
    }
    lock(key, (release) => {
      const giveBack = (): void => release(() => {})();
      request.leftovers.add(giveBack);
      const releaseOnce: Release =
        (done) =>
        (...results) => {
          // A request that failed has released the lock already.
          if (request.leftovers.delete(giveBack)) release(done)(...results);
        };
      inRequest(request, () => act(releaseOnce));
    });
  };
}
