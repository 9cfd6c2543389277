import * as z from "zod/mini";

/** The topics' own protocols, by the scheme of an address. */
const SCHEMES = /^(?:mailto:[^\s@?]+@[^\s@?]+\.[^\s@?]+|https:\/\/[^\s]+)$/;

const isAddress = (text: string): boolean => SCHEMES.test(text) && URL.canParse(text);

const addresses = z._default(
  z
    .array(
      z.string().check(z.refine(isAddress, "must be a URL such as mailto:team@example.com or https://…")),
    )
    .check(z.refine((list) => new Set(list).size === list.length, "must not name an address twice")),
  [],
);

/** Who is told when an alarm rings. The alarms are there in any case. */
export const alarmsSchema = z.strictObject({
  /** Gets a message whenever an alarm begins to ring or stops: mail addresses, or web services. */
  notify: addresses,
  /** Gets a message when callers are affected, and somebody has to look at once. */
  page: addresses,
  /** Where people read `docs/runbook.md`: each alarm's description links to its section there. */
  runbook: z._default(
    z
      .string()
      .check(z.refine((text) => text.startsWith("https://") && URL.canParse(text), "must be an https URL")),
    // It has no address of its own.
    "docs/runbook.md",
  ),
});
