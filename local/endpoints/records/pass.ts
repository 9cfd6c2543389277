import * as z from "zod/mini";
import { passDocument } from "../../../lib/passes/pass-document.ts";
import type { MemberTexts, RecordText } from "../json-schema.ts";

const openObject = { type: "object" } as const;

const passTexts: MemberTexts = {
  partner_reference: "The partner's own reference of the pass, without a prefix.",
  type: {
    text: "Type of the pass, such as `boarding_pass`, `event_pass` or `loyalty_pass`. Others are served alike.",
    examples: ["boarding_pass", "event_pass", "loyalty_pass"],
  },
  version: { text: "Grows with every change.", type: "integer", minimum: 0, maximum: 999_999_999_999_999 },
  semantics: { text: "What the pass is about. Its members are the partner's own.", ...openObject },
  relevant_at: "When the pass matters, such as the time of boarding.",
  actions: {
    text: "What the customer can do. The members of each action are the partner's own.",
    items: openObject,
  },
  triggers: {
    text: "When to show the pass. The members of each trigger are the partner's own.",
    items: openObject,
  },
};

/** The members of a pass as it is published. */
export const publishedPassTexts: MemberTexts = {
  ...passTexts,
  template_id: "ID of the template. It cannot change once it is set, and is never served.",
};

/** A pass as it is served: without the member that never is. */
export const passRecord: RecordText = {
  title: "Pass",
  text: "The latest state of a wallet pass.",
  shape: z.omit(passDocument, { template_id: true }),
  texts: passTexts,
  types: {},
};
