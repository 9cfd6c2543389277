import { resourcesOf, type Template, type TemplateResource, textOf } from "../synthesize.ts";

const ALARM = /ALARM\("\$\{(\w+)\}"\)/g;
const idOf = (reference: unknown): string => textOf(reference).slice(2, -1);

/** Whether an alarm tells the topic for pages. */
export const tellsPages = ({ Properties }: TemplateResource): boolean =>
  Properties.AlarmActions.map(textOf).some((topic: string) => topic.startsWith("${TopicsPages"));

/** The ids of the alarms that a joined alarm rings for. */
export const childrenOf = ({ Properties }: TemplateResource): readonly string[] => {
  const rule = textOf(Properties.AlarmRule);
  const ids = Array.from(rule.matchAll(ALARM), ([, id]) => id ?? "");
  if (rule !== ids.map((id) => `ALARM("\${${id}}")`).join(" OR ")) throw new Error(`No reading of ${rule}`);
  return ids;
};

/** The id of the alarm that keeps a joined alarm from telling anybody. */
export const suppressorOf = ({ Properties: { ActionsSuppressor } }: TemplateResource): string | undefined =>
  ActionsSuppressor === undefined ? undefined : idOf(ActionsSuppressor);

/**
 * The alarms of a template that have paged while those of these ids ring: an alarm tells its topic once, when it begins
 * to ring, and a joined one only if its suppressor does not ring (CloudWatch user guide, "Suppressing composite alarm
 * actions").
 */
export function pagedFor(template: Template, ringing: ReadonlySet<string>): readonly TemplateResource[] {
  const alone = resourcesOf(template, "AWS::CloudWatch::Alarm").filter(({ id }) => ringing.has(id));
  const joined = resourcesOf(template, "AWS::CloudWatch::CompositeAlarm").filter(
    (one) => childrenOf(one).some((id) => ringing.has(id)) && !ringing.has(suppressorOf(one) ?? ""),
  );
  return [...alone, ...joined].filter(tellsPages);
}
