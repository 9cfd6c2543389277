/** A place on the page, as the address names it. */
export interface Route {
  readonly screen: "overview" | "try" | "market" | "records" | "log" | "reference" | "nowhere";
  /** The endpoint's name below `#/try/`; absent where none is named. */
  readonly endpoint?: string;
  /** What stands behind the address's question mark, such as `order_id=x`; absent where nothing does. */
  readonly query?: string;
}

const SCREENS: readonly string[] = ["try", "market", "records", "log", "reference"];

/** The place that the hash of an address names; `nowhere` where there is no such screen. */
export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/);
  const [screen = "", endpoint = ""] = path.split("/");
  if (screen === "") return { screen: "overview" };
  if (!SCREENS.includes(screen)) return { screen: "nowhere" };
  const isNamed = screen === "try" && endpoint !== "";
  return { screen: screen as Route["screen"], ...(isNamed && { endpoint }), ...(query !== "" && { query }) };
}
