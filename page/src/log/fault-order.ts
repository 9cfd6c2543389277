/** An order of a fault, as the form has it: every field is text, and an empty one is left to its default. */
export interface FaultForm {
  /** The endpoint's name, or `all`. */
  readonly route: string;
  readonly fault: string;
  readonly times: string;
  readonly oneIn: string;
  readonly forS: string;
}

/** What is asked of the service. */
export interface FaultOrder {
  readonly route: string;
  readonly fault: string;
  readonly times?: number;
  readonly oneIn?: number;
  readonly forMs?: number;
}

/** The fields of the form that hold numbers. */
export type NumberField = "times" | "oneIn" | "forS";

const NUMBER_FIELDS: readonly NumberField[] = ["times", "oneIn", "forS"];
const NUMBER_MAX = 1_000_000;

/** What a form orders, or what is wrong with its fields. */
export type ReadForm =
  | { readonly order: FaultOrder }
  | { readonly complaints: Readonly<Partial<Record<NumberField, string>>> };

/** Reads a form. A number is whole and 1 at least, as the service takes it. */
export function orderOf(form: FaultForm): ReadForm {
  const complaints = NUMBER_FIELDS.filter((name) => !isCount(form[name])).map((name) => [
    name,
    `Write a whole number from 1 to ${NUMBER_MAX.toLocaleString("en")}, or nothing.`,
  ]);
  if (complaints.length > 0) return { complaints: Object.fromEntries(complaints) };
  const { route, fault, times, oneIn, forS } = form;
  const order = {
    route,
    fault,
    ...(times.trim() !== "" && { times: Number(times) }),
    ...(oneIn.trim() !== "" && { oneIn: Number(oneIn) }),
    ...(forS.trim() !== "" && { forMs: Number(forS) * 1_000 }),
  };
  return { order };
}

function isCount(text: string): boolean {
  const given = text.trim();
  return given === "" || (/^\d{1,7}$/.test(given) && Number(given) >= 1 && Number(given) <= NUMBER_MAX);
}
