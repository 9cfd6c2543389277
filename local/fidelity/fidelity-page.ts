import { answerRules } from "../gateway/answer-rules.ts";
import type { KnownBehaviour } from "../known-behaviour.ts";
import { storeBehaviours } from "../store/behaviour/behaviours.ts";
import type { EngineKind } from "../store/engine-kind.ts";
import { dynamoDbRules } from "../store/rules/check-rules.ts";
import { ownRules } from "../store/rules/own-rules.ts";
import type { Rule } from "../store/rules/rule.ts";
import { accessBehaviours } from "./access-behaviours.ts";
import { gatewayBehaviours } from "./gateway-behaviours.ts";
import { localAdditions } from "./local-additions.ts";
import { queueBehaviours } from "./queue-behaviours.ts";

const HEAD = `# Fidelity

Which rules and behaviours of AWS the local service has, with their sources and tests. \`npm run fidelity\` writes this page from the data
that the local service itself uses; a test fails when the two differ.

- **enforced**: the local service refuses a breach as AWS does.
- **imitated**: the local service behaves as AWS does.
- **not here**: the local service does not have this behaviour. If a command can show it, the command is listed under
  [what only a deployment can show](#what-only-a-deployment-can-show).
`;

/** The text of `docs/fidelity.md`. */
export const fidelityPage = (): string =>
  [
    HEAD,
    section("What DynamoDB refuses", RULES, ruleTable("what DynamoDB demands", dynamoDbRules)),
    section("What only the local store refuses", OWN_RULES, ruleTable("what the store demands", ownRules)),
    section("What DynamoDB does", STORE, engineTable()),
    section("Permissions", ACCESS, behaviourTable(accessBehaviours)),
    section("What the gateway refuses in an answer", ANSWERS, answerTable()),
    section("What the gateway and the runtime do", GATEWAY, behaviourTable(gatewayBehaviours)),
    section("What queues and their event source do", QUEUES, behaviourTable(queueBehaviours)),
    section("What only npm start has", ADDITIONS, additionTable()),
    section("What only a deployment can show", SHOWN, commands()),
  ].join("\n");

const RULES = `The local store checks each request against these rules before an engine answers it, in \`npm start\`, in \`npm run ops\` and in the
tests (\`local/store/rules/\`). It enforces all of them, on both engines, in DynamoDB's words. \`test/integration/store-rules.test.ts\` breaks
each rule, and keeps each at its boundary. The last columns say which engine would keep the rule on its own; an engine that *may end* does
not survive some requests that break the rule. Sources: *API* is DynamoDB's API reference, *Guide* its developer guide.`;

const OWN_RULES = `DynamoDB accepts requests that break these rules. On the local store such requests would escape the rules above, be lost, or end the
engine, so the store refuses them and says why.`;

const STORE = `\`npm start -- --help\` names the options that switch on lag, limits of partitions, expiry and lost answers.`;

const ACCESS = `The store identifies its callers by access keys that are random in each start. The roles in the template say what each may do.`;

const ANSWERS = `If an answer breaks a rule, the gateway answers 500 and the log has the cause (\`local/gateway/answer-rules.ts\`). All rules are enforced;
\`test/unit/local/gateway/response.test.ts\` tries each on both sides of its boundary.`;

const GATEWAY = `\`test/integration/gateway-event.test.ts\` compares the members of the event that a function gets, one by one, with the documentation.`;

const QUEUES = `The queues are those of [fauxqs](https://www.npmjs.com/package/fauxqs), with our own checks of what is sent, our own server in front of
them, and our own event source (\`local/queue/\`).`;

const ADDITIONS = `The local gateway adds these to help whoever writes a client. The functions do not know of them.`;

const SHOWN = `A comment after a command gives the expected result, if it is not obvious. Set these first; \`aws\` means the AWS CLI, version 2:

\`\`\`sh
STAGE=test REGION=eu-central-1                 # a stage on which nobody depends
export AWS_REGION=$REGION
URL=https://api.test.example                   # without domains: the output ApiUrl of the API stack
MTLS_URL=https://mtls.test.example             # the domain for client certificates
TOKEN=eyJ…                                     # an access token for passes, of the stage's issuer
API_ID=$(aws apigatewayv2 get-apis --query "Items[?Name=='countinghouse-$STAGE'].ApiId" --output text)
ACCESS_LOG_GROUP=$(aws logs describe-log-groups --log-group-name-prefix /aws/vendedlogs/countinghouse/$STAGE/access- \\
  --query 'sort_by(logGroups, &creationTime)[-1].logGroupName' --output text)
REPORT_EXPIRY_LOG_GROUP=$(aws lambda get-function-configuration --function-name countinghouse-$STAGE-report-expiry \\
  --query LoggingConfig.LogGroup --output text)
compare() { npm run compare -- --left http://127.0.0.1:3000 --right "$URL" --right-credentials stage.json "$@"; }
\`\`\`

\`compare\` compares the deployment with a running \`npm start\`, all of it without an option. Its file
[\`stage.json\`](compare.md#credentials) has credentials of the stage.`;

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
    ["behaviour", "source", "here", "engine that differs on its own", "held by"],
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
    ["rule", "what the gateway demands", "source"],
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

const additionTable = (): string =>
  table(
    ["addition", "a deployment", "held by"],
    localAdditions.map(({ addition, deployed, heldBy }) => [addition, deployed, `\`${heldBy}\``]),
  );

const commands = (): string =>
  [...storeBehaviours, ...accessBehaviours, ...gatewayBehaviours]
    .filter(({ shownBy, comparedBy }) => shownBy !== undefined || comparedBy !== undefined)
    .map(
      ({ behaviour, ...shown }) =>
        `- ${behaviour}\n\n  \`\`\`sh\n  ${linesOf(shown).join("\n  ")}\n  \`\`\`\n`,
    )
    .join("\n");

/** The commands that show a behaviour, one a line. */
const linesOf = ({
  shownBy,
  comparedBy,
}: Pick<KnownBehaviour, "shownBy" | "comparedBy">): readonly string[] => [
  ...(shownBy === undefined ? [] : shownBy.split("\n")),
  ...(comparedBy === undefined ? [] : [`compare --only ${comparedBy.join(",")}`]),
];
