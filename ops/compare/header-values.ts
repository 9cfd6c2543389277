import { commands } from "../../local/installation.ts";

/** A header whose value differs from answer to answer, so that only its form is compared. */
interface HeaderForm {
  readonly name: string;
  /** What is compared of it, for the legend. */
  readonly compared: string;
  readonly formOf: (value: string) => string;
}

const whole =
  (pattern: RegExp, form: string) =>
  (value: string): string =>
    pattern.test(value) ? form : value;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const forms: readonly HeaderForm[] = [
  {
    name: "date",
    compared: "its form",
    formOf: whole(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/, "<date>"),
  },
  { name: "apigw-requestid", compared: "its form", formOf: whole(/^[A-Za-z0-9_-]{15}=$/, "<gateway id>") },
  {
    name: "request-id",
    compared: "the caller's own exactly, a new one by its form",
    formOf: whole(UUID, "<new id>"),
  },
  {
    name: "ratelimit",
    compared: "the names of the limits, not what is left; left out where nothing was charged",
    formOf: (value) => value.replaceAll(/;r=\d+;t=\d+/g, ";r=<n>;t=<n>"),
  },
  { name: "retry-after", compared: "that it is a number", formOf: whole(/^\d+$/, "<n>") },
  {
    name: "link",
    compared: "its parameters, not the cursor and the end of the window",
    formOf: (value) => value.replaceAll(/\b(cursor|to)=[^&>]*/g, "$1=<$1>"),
  },
  { name: "content-length", compared: "that it is there", formOf: whole(/^\d+$/, "<length>") },
];

/** An entity tag stands for one record's bytes. */
const tagForm: HeaderForm = {
  name: "etag",
  compared: "its form",
  formOf: whole(/^"[^"]*"$/, '"<tag>"'),
};

/** Headers of one connection (RFC 9110, section 7.6.1), which says nothing of the API. */
const OF_CONNECTION = ["connection", "keep-alive"] as const;
/** Headers that only `npm start` adds. */
const LOCAL = /^x-local-/;

const formsOf = (isExact: boolean): readonly HeaderForm[] => (isExact ? forms : [...forms, tagForm]);

/** Refusals that are never charged. A function states the limit with one only if it remembers its state. */
const UNCHARGED: readonly number[] = [400, 401, 403, 409];

/**
 * Whether a header is compared at all.
 *
 * @param name in lower case.
 * @param status of the answer that has it.
 */
export function isCompared(name: string, status: number): boolean {
  if (name === "ratelimit" && UNCHARGED.includes(status)) return false;
  return !LOCAL.test(name) && !(OF_CONNECTION as readonly string[]).includes(name);
}

/**
 * What is compared of a header's value.
 *
 * @param name in lower case.
 * @param isExact whether both sides have the same records.
 */
export function comparedValue(name: string, value: string, isExact: boolean): string {
  const form = formsOf(isExact).find((one) => one.name === name);
  return form === undefined ? value : form.formOf(value);
}

/** What is not compared as it stands, one line for each header. */
export const headerLegend = (isExact: boolean): readonly string[] => [
  ...formsOf(isExact).map(({ name, compared }) => `header ${name}: ${compared}`),
  `headers ${OF_CONNECTION.join(" and ")}, which are of the connection, and X-Local-*, which only \`${commands.start}\` adds: left out`,
];
