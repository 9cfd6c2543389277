import { RecentMap } from "../recent-map.ts";
import type { PassRecord, StoredPass } from "./pass.ts";
import type { PassRegister, WriteAttempt } from "./pass-register.ts";
import { objectionTo } from "./pass-rules.ts";
import type { PassStore } from "./pass-store.ts";
import type { PassReplacement } from "./resolve-pass.ts";

/** The most passes that are remembered. */
const PASSES_MAX = 100_000;

/**
 * Stands in for the register: returns what a publication would do, and stores nothing. For the last 100,000 passes, the
 * pass that it would have stored counts as stored.
 */
export class PassRehearsal implements Pick<PassRegister, "put" | "replace" | "adoptTemplate"> {
  readonly #store: Pick<PassStore, "get">;
  readonly #rehearsed = new RecentMap<string, StoredPass>(PASSES_MAX);

  constructor(store: Pick<PassStore, "get">) {
    this.#store = store;
  }

  async put(pass: PassRecord): Promise<WriteAttempt> {
    const stored = await this.#get(pass.partnerReference);
    if (stored !== undefined && objectionTo(pass, stored) !== undefined) return { done: false, stored };
    const templateId = pass.templateId ?? (stored?.state === "current" ? stored.templateId : undefined);
    this.#rehearsed.set(pass.partnerReference, { ...pass, templateId });
    return { done: true };
  }

  async replace({ pass, corrections }: PassReplacement): Promise<WriteAttempt> {
    this.#rehearsed.set(pass.partnerReference, { ...pass, state: "current", corrections });
    return { done: true };
  }

  async adoptTemplate(partnerReference: string, templateId: string): Promise<WriteAttempt> {
    const stored = await this.#get(partnerReference);
    if (stored?.state !== "current" || stored.templateId !== undefined) return { done: false, stored };
    this.#rehearsed.set(partnerReference, { ...stored, templateId });
    return { done: true };
  }

  async #get(partnerReference: string): Promise<StoredPass | undefined> {
    return this.#rehearsed.get(partnerReference) ?? (await this.#store.get(partnerReference));
  }
}
