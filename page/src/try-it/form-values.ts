import type { SessionParameter } from "../../../local/page/page-questions.ts";

/** A parameter of an endpoint, as far as a form needs it. */
type FormParameter = Pick<SessionParameter, "name" | "in" | "isRepeatable">;

/** What stands in the fields of a form, by the parameter's name. An empty field leaves its parameter out. */
export type FormValues = Readonly<Record<string, string>>;

/** The words of a field of several values, which spaces separate. */
const wordsIn = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** The path and query of a form, encoded as they are sent, with `more` parameters of the query as they were typed. */
export function targetOf(
  { route, parameters }: { readonly route: string; readonly parameters: readonly FormParameter[] },
  values: FormValues,
  more = "",
): string {
  const path = route.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap(({ name, isRepeatable }) => {
      const text = values[name] ?? "";
      const given = isRepeatable ? wordsIn(text) : [text];
      return given
        .filter((value) => value !== "")
        .map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    });
  const parts = [...query, ...(more === "" ? [] : [more])];
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

/** The headers that a form stands for, apart from its credential's. */
export const headersOf = (
  parameters: readonly FormParameter[],
  values: FormValues,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === "header" && (values[parameter.name] ?? "") !== "")
      .map(({ name }) => [name, values[name] ?? ""]),
  );

/**
 * The form that a link's query such as `order_id=x` asks for: path, query and headers by their names, and `more`, which
 * names none, as it stands there. What the link does not name is left out, or is of `values` where it is required.
 */
export function linkedForm(
  query: string,
  parameters: readonly (FormParameter & Pick<SessionParameter, "isRequired">)[],
  values: FormValues,
): { readonly values: FormValues; readonly more: string } {
  const asked = new URLSearchParams(query);
  const linked = parameters.map(({ name, isRequired }) => {
    const given = asked.getAll(name).join(" ");
    return [name, given === "" && isRequired ? (values[name] ?? "") : given] as const;
  });
  const isKnown = (part: string): boolean =>
    parameters.some(({ name }) => new URLSearchParams(part).has(name));
  const more = query.split("&").filter((part) => !isKnown(part));
  return { values: Object.fromEntries(linked), more: more.join("&") };
}

/** The query of a link that asks for a form; empty for the demo's. A field that was emptied is named, too. */
export function linkOf(
  { values, more }: { readonly values: FormValues; readonly more: string },
  demo: FormValues,
): string {
  const named = Object.entries(values).filter(([name, value]) => value !== "" || demo[name] !== "");
  const isDemo = named.every(([name, value]) => value === demo[name]);
  if (isDemo && more === "") return "";
  return [String(new URLSearchParams(named)), more].filter((part) => part !== "").join("&");
}

/** The values of a form whose query is that of an address, such as the next page's. Path and headers stay. */
export function valuesAt(
  url: URL,
  parameters: readonly FormParameter[],
  values: FormValues,
): Readonly<Record<string, string>> {
  const queried = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name }) => [name, url.searchParams.getAll(name).join(" ")] as const);
  return { ...values, ...Object.fromEntries(queried) };
}
