import { systemClock } from "../../../lib/clock.ts";
import { actorOf } from "../../audit/actor.ts";
import type { OperatorStore } from "../../store/operator-store.ts";
import { ImportJournal } from "./import-journal.ts";
import { type ImportKind, ImportRegister } from "./import-register.ts";

/** The journal of an import into a store that begins now. */
export const openJournal = (
  store: OperatorStore,
  kind: ImportKind,
  owner: string | undefined,
): ImportJournal =>
  new ImportJournal({
    register: new ImportRegister(store.table("Imports")),
    kind,
    ...(owner !== undefined && { owner }),
    actor: () => actorOf(store),
    clock: systemClock,
  });
