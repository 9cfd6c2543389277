/** One comparison of a filter pattern: a member of the line, whether it must be equal, and a text in which `*` is anything. */
const CONDITION = /^\(\$\.(\w+) (=|!=) "([\w*]*)"\)$/;

/**
 * Whether a line of JSON matches a filter pattern of CloudWatch Logs. It knows comparisons of texts that are joined by
 * `&&`, which is what this project uses.
 */
export function matchesFilter(pattern: string, line: string): boolean {
  const [, conditions] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  if (conditions === undefined) throw new Error(`No reading of ${pattern}`);
  const members = JSON.parse(line) as Readonly<Record<string, unknown>>;
  return conditions.split(" && ").every((condition) => {
    const [, member, operator, text] = CONDITION.exec(condition) ?? [];
    if (member === undefined || text === undefined) throw new Error(`No reading of ${condition}`);
    const wanted = new RegExp(`^${text.replaceAll("*", ".*")}$`);
    return wanted.test(String(members[member])) === (operator === "=");
  });
}
