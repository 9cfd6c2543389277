import type { Item } from "../../../lib/dynamo/item.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import { unavailable } from "../../../lib/errors.ts";
import type { CurrentPass, PassRecord, StoredPass } from "../../../lib/passes/pass.ts";
import { PassRegister, type WriteAttempt } from "../../../lib/passes/pass-register.ts";
import { passOf } from "../../../lib/passes/pass-store.ts";
import type { PassReplacement } from "../../../lib/passes/resolve-pass.ts";
import { Gathered } from "./gathered.ts";
import type { ImportJournal } from "./import-journal.ts";
import { itemDigest } from "./journal-entry.ts";
import { ITEMS_READ_MAX, readItems } from "./read-items.ts";

const ROUNDS_MAX = 16;

const keyOf = (partnerReference: string): Item => ({ partner_reference: { S: partnerReference } });

/** A current pass as it is stored. */
const itemOf = (partnerReference: string, pass: Omit<CurrentPass, "state">): Item => ({
  ...keyOf(partnerReference),
  doc: { S: pass.text },
  version: { N: String(pass.version) },
  ...(pass.templateId !== undefined && { template_id: { S: pass.templateId } }),
  ...(pass.corrections !== undefined && { corrections: { S: pass.corrections } }),
});

/**
 * Stands in for the register of passes during an import: it looks first, announces what it will replace in the import's
 * journal, and replaces exactly that.
 */
export class JournaledPasses implements Pick<PassRegister, "put" | "replace" | "adoptTemplate"> {
  readonly #register: PassRegister;
  readonly #journal: ImportJournal;
  readonly #stored: Gathered<Item, Item | undefined>;

  constructor(table: Table, journal: ImportJournal) {
    this.#register = new PassRegister(table);
    this.#journal = journal;
    this.#stored = new Gathered((keys) => readItems(table, keys), ITEMS_READ_MAX);
  }

  /** Stores a first pass; one that is stored already is returned, for the caller to decide about. */
  async put(pass: PassRecord): Promise<WriteAttempt> {
    const stored = await this.#get(pass.partnerReference);
    if (stored !== undefined) return { done: false, stored };
    const item = itemOf(pass.partnerReference, pass);
    return await this.#announced(pass.partnerReference, item, undefined, () => this.#register.putFirst(pass));
  }

  async replace(replacement: PassReplacement): Promise<WriteAttempt> {
    const { pass, seen, corrections } = replacement;
    const { partnerReference, text, version } = pass;
    const templateId = pass.templateId ?? seen.templateId;
    const item = itemOf(partnerReference, {
      text,
      version,
      templateId,
      corrections: corrections ?? seen.corrections,
    });
    const put = () => this.#register.replace(replacement);
    return await this.#announced(partnerReference, item, itemOf(partnerReference, seen), put);
  }

  async adoptTemplate(partnerReference: string, templateId: string): Promise<WriteAttempt> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const stored = await this.#get(partnerReference);
      if (stored?.state !== "current" || stored.templateId !== undefined) return { done: false, stored };
      const pass = { ...stored, partnerReference, templateId };
      const attempt = await this.replace({ pass, seen: stored, corrections: stored.corrections });
      if (attempt.done) return attempt;
    }
    throw unavailable("Other writers of the pass were faster each time.");
  }

  async #get(partnerReference: string): Promise<StoredPass | undefined> {
    const item = await this.#stored.ask(keyOf(partnerReference));
    return item && passOf(item);
  }

  async #announced(
    partnerReference: string,
    item: Item,
    before: Item | undefined,
    put: () => Promise<WriteAttempt>,
  ): Promise<WriteAttempt> {
    await this.#journal.announce(keyOf(partnerReference), item, before);
    const attempt = await put();
    if (attempt.done) return attempt;
    const { stored } = attempt;
    // The write took effect, and only its answer was lost.
    if (stored?.state === "current" && itemDigest(itemOf(partnerReference, stored)) === itemDigest(item))
      return { done: true };
    this.#journal.disown(keyOf(partnerReference), item);
    return attempt;
  }
}
