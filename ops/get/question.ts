import * as z from "zod/mini";

/** The instant of a question, as ISO 8601 with a zone. */
const instant = z.string();
const texts = z.optional(z.array(z.string()));

const tradesQuestion = z.strictObject({
  get: z.literal("trades"),
  symbol: z.string(),
  /** The oldest instant, included, in milliseconds. */
  from: instant,
  /** The newest instant, included. */
  to: instant,
  /** The most records of the whole download: the newest ones. */
  limit: z.optional(z.number()),
});

const transactionsQuestion = z.strictObject({
  get: z.literal("transactions"),
  /** Whose transactions: the subject of the access token, where the token can be read. */
  subject: z.optional(z.string()),
  /** The oldest instant, included; absent for the first record. */
  from: z.optional(instant),
  /** The end, not included. */
  to: instant,
  type: texts,
  state: texts,
  account: texts,
  request_id: z.optional(z.string()),
  limit: z.optional(z.number()),
});

/** What is downloaded. Both ends of its time are fixed, so that it can be asked again. */
export const questionSchema = z.discriminatedUnion("get", [tradesQuestion, transactionsQuestion]);

export type TradesQuestion = z.infer<typeof tradesQuestion>;
export type TransactionsQuestion = z.infer<typeof transactionsQuestion>;
export type Question = z.infer<typeof questionSchema>;

/** A question's span in epoch milliseconds; `fromMs` is undefined when the question goes back to the first record. */
export const spanOf = ({
  from,
  to,
}: Question): { readonly fromMs: number | undefined; readonly toMs: number } => ({
  fromMs: from === undefined ? undefined : Date.parse(from),
  toMs: Date.parse(to),
});
