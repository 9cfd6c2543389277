/** A place on the page, as the address names it. */
export interface Route {
  readonly screen: "overview" | "try" | "market" | "records" | "log" | "reference" | "nowhere";
  /** The endpoint's name below `#/try/`; absent where none is named. */
  readonly endpoint?: string;
  /** What stands behind the address's question mark, such as `order_id=x`; absent where nothing does. */
  readonly query?: string;
}

const SCREENS: readonly string[] = ["try", "market", "records", "log", "reference"];

/**
 * The place that the hash of an address names; `nowhere` where there is no such screen. A hash without a slash, such as
 * the skip link's, names a part of a screen: a page that is loaded with it begins with the overview.
 */
export function readRoute(hash: string): Route {
  if (!hash.startsWith("#/")) return { screen: "overview" };
  const [path = "", query = ""] = hash.slice("#/".length).split(/\?(.*)/);
  const [screen = "", endpoint = ""] = path.split("/");
  if (screen === "") return { screen: "overview" };
  if (!SCREENS.includes(screen)) return { screen: "nowhere" };
  const isNamed = screen === "try" && endpoint !== "";
  return { screen: screen as Route["screen"], ...(isNamed && { endpoint }), ...(query !== "" && { query }) };
}
