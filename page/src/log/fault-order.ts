import type { Questions } from "../../../local/page/page-questions.ts";

/** The fields of the form that hold numbers, which may be left to the service. */
type NumberField = "times" | "oneIn" | "forS";

/** An order of a fault, as the service takes it. */
export type FaultOrder = Questions["set-fault"]["input"];

/** An order of a fault, as the form has it: the endpoint's name or `all`, and every field as text. */
export type FaultForm = Readonly<Record<"route" | "fault" | NumberField, string>>;

const NUMBER_MAX = 999_999;

/** What is wrong with the text of a field that holds a number; undefined where nothing is. */
export function complaintOf(text: string): string | undefined {
  const given = text.trim();
  if (given === "" || (/^\d{1,6}$/.test(given) && Number(given) >= 1)) return undefined;
  return `Write a whole number from 1 to ${NUMBER_MAX.toLocaleString("en")}, or leave it empty.`;
}

/** What a form of which nothing is wrong asks of the service. */
export const orderOf = ({ route, fault, times, oneIn, forS }: FaultForm): FaultOrder => ({
  route,
  fault,
  ...(times.trim() !== "" && { times: Number(times) }),
  ...(oneIn.trim() !== "" && { oneIn: Number(oneIn) }),
  ...(forS.trim() !== "" && { forMs: Number(forS) * 1_000 }),
});
