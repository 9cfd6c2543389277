import type { Checked } from "../checked.ts";
import { checkDocument, servedText } from "../json/check-document.ts";
import { passDocument } from "./pass-document.ts";

/** A published pass. */
interface CurrentPass {
  readonly state: "current";
  /** The text that is served, to the letter. */
  readonly text: string;
  /** Grows with every change. */
  readonly version: number;
  /** Set once a version names a template, and then changed only by a correction; it is never served. */
  readonly templateId: string | undefined;
  /** The trace of corrections, if there were any; it is never served. */
  readonly corrections?: string | undefined;
}

/** The tombstone of a voided pass: it has no content, and nothing replaces it. */
interface VoidPass {
  readonly state: "void";
  /** Epoch milliseconds. */
  readonly goneAt: number;
}

export type StoredPass = CurrentPass | VoidPass;

/** A checked pass, ready to be published. */
export type PassRecord = Pick<CurrentPass, "text" | "version" | "templateId"> & {
  readonly partnerReference: string;
};

/** Checks one JSON text against the shape of a pass, and returns the record to be stored. */
export function checkPass(text: string): Checked<PassRecord> {
  const checked = checkDocument(passDocument, text);
  if (!checked.ok) return checked;
  const { template_id, ...served } = checked.value;
  const doc = servedText(served);
  if (!doc.ok) return doc;
  return {
    ok: true,
    value: {
      partnerReference: served.partner_reference,
      text: doc.value,
      version: Number(served.version.rawJSON),
      templateId: template_id,
    },
  };
}
