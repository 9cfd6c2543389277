import type { Server } from "node:http";
import dynalite, { type EngineOptions } from "dynalite";
import database, { type Iterator, type Lockable, type Release, type Store } from "dynalite/db/index.js";
import { inRequest, requestUnderWay } from "./request-under-way.ts";

/**
 * dynalite, relieved of two faults of the installed version. Its streams end their iterators by `return()`, which those
 * of its database have not, so that each query leaves one open. And what it throws in a callback leaves the locks of the
 * request locked: they go to what the request leaves over.
 */
export function openMendedEngine(options: EngineOptions): Server {
  const { create } = database;
  // The one place at which the engine's database can be had: it makes it through this member of its own module.
  database.create = (given) => mend(create(given));
  try {
    return dynalite(options);
  } finally {
    database.create = create;
  }
}

function mend(store: Store): Store {
  const { db, getItemDb } = store;
  const [keys, values] = [db.keys.bind(db), db.values.bind(db)];
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

/** An iterator that ends as dynalite ends it, and that is no longer open once its request has failed. */
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

/** Lets a request that fails unlock what it has locked; a waiting one goes on as itself, not as the one before it. */
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
          // Whoever has failed has given it back already.
          if (request.leftovers.delete(giveBack)) release(done)(...results);
        };
      inRequest(request, () => act(releaseOnce));
    });
  };
}
