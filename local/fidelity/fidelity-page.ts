import { answerRules } from "../gateway/answer-rules.ts";
import type { KnownBehaviour } from "../known-behaviour.ts";
import { storeBehaviours } from "../store/behaviour/behaviours.ts";
import type { EngineKind } from "../store/engine-kind.ts";
import { dynamoDbRules } from "../store/rules/check-rules.ts";
import { ownRules } from "../store/rules/own-rules.ts";
import type { Rule } from "../store/rules/rule.ts";
import { accessBehaviours } from "./access-behaviours.ts";
import { gatewayBehaviours } from "./gateway-behaviours.ts";

const HEAD = `# Fidelity

How far the local service is the deployed one. This page is written from the data that the local service itself goes by
(\`npm run fidelity\`); a test fails when the two differ.

- **enforced**: what breaks the rule is refused here as it is there.
- **imitated**: what AWS does is done here too.
- **not here**: nothing stands for it. Where a command can show it, it is on the list of [what only a deployment can
  show](#what-only-a-deployment-can-show).
`;

/** \`docs/fidelity.md\`, as Markdown. */
export const fidelityPage = (): string =>
  [
    HEAD,
    section("What DynamoDB refuses", RULES, ruleTable("what DynamoDB demands", dynamoDbRules)),
    section("What only the local store refuses", OWN_RULES, ruleTable("what the store demands", ownRules)),
    section("What DynamoDB does", STORE, engineTable()),
    section("Who may ask", ACCESS, behaviourTable(accessBehaviours)),
    section("What is refused of a function's answer", ANSWERS, answerTable()),
    section("What the gateway and the runtime do", GATEWAY, behaviourTable(gatewayBehaviours)),
    section("What only a deployment can show", SHOWN, commands()),
  ].join("\n");

const RULES = `Each request to the local store is held to these rules before an engine answers it, in \`npm start\`, in \`npm run ops\`
and in the tests (\`local/store/rules/\`). All of them are enforced, on both engines, in DynamoDB's words;
\`test/integration/store-rules.test.ts\` breaks each and keeps each at its boundary. The last columns say which engine
would have kept the rule by itself; one that *may end* does not survive some requests that break it.
Sources: *API* is DynamoDB's API reference, *Guide* its developer guide.`;

const OWN_RULES = `DynamoDB takes what breaks these. Here it would escape the rules above, be lost, or end the engine, so it is refused with
the reason.`;

const STORE = `\`npm start -- --help\` names the options that switch lag, limits of partitions, expiry and lost answers on.`;

const ACCESS = `The store knows its callers by access keys that are random in each start, and what each may do from the roles in the template.`;

const ANSWERS = `An answer that breaks one is a 500 of the gateway, whose cause the log has (\`local/gateway/answer-rules.ts\`). All are
enforced; \`test/unit/local/gateway/response.test.ts\` tries each on both sides of its boundary.`;

const GATEWAY = `The members of the event that a function gets are compared one by one with the documentation by
\`test/integration/gateway-event.test.ts\`.`;

const SHOWN = `\`$URL\` is where the deployed API answers. Each command is followed by what is expected, where that is not plain.`;

const section = (title: string, introduction: string, body: string): string =>
  `## ${title}\n\n${introduction}\n\n${body}\n`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cellOf).join(" | ")} |`).join("\n");

const cellOf = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const ruleTable = (demanded: string, rules: readonly Rule[]): string =>
  table(
    ["rule", demanded, "source", "dynalite", "dynoxide"],
    rules.map((rule) => [
      rule.name,
      rule.demands,
      rule.source,
      keptBy(rule, "dynalite"),
      keptBy(rule, "dynoxide"),
    ]),
  );

function keptBy({ keptBy: keepers, endedBy = [] }: Rule, engine: EngineKind): string {
  if (endedBy.includes(engine)) return "may end";
  return keepers.includes(engine) ? "keeps it" : "lets it pass";
}

const engineTable = (): string =>
  table(
    ["behaviour", "source", "here", "engine that does otherwise by itself", "held by"],
    storeBehaviours.map(({ behaviour, source, standing, differs, heldBy }) => [
      behaviour,
      source,
      standing,
      differs.join(", "),
      `\`${heldBy}\``,
    ]),
  );

const answerTable = (): string =>
  table(
    ["rule", "what is demanded", "source"],
    answerRules.map(({ name, demands, source }) => [name, demands, source]),
  );

const behaviourTable = (behaviours: readonly KnownBehaviour[]): string =>
  table(
    ["behaviour", "source", "here", "held by"],
    behaviours.map(({ behaviour, source, standing, heldBy }) => [
      behaviour,
      source,
      standing,
      heldBy === undefined ? "" : `\`${heldBy}\``,
    ]),
  );

const commands = (): string =>
  [...storeBehaviours, ...accessBehaviours, ...gatewayBehaviours]
    .filter(({ shownBy }) => shownBy !== undefined)
    .map(({ behaviour, shownBy }) => `- ${behaviour}\n\n  \`\`\`sh\n  ${shownBy}\n  \`\`\`\n`)
    .join("\n");
