import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../lib/clock.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { wholeNumber } from "../arguments/parse-count.ts";
import { findingsOf, publish, type Report, reportText, sinceText } from "../checks/report.ts";
import { checkExits, type Finding, findingsOutput, unchecked } from "../checks/rule.ts";
import { type Context, defineCommand, type GivenOf, takes } from "../command.ts";
import { isEndBy } from "../stop-on-interrupt.ts";
import { terminalWidth } from "../terminal/write-table.ts";
import { NoAnswer } from "../wallet/http-exchange.ts";
import { WAIT_BUDGET_MS } from "../wallet/wallet.ts";
import {
  CREDENTIALS_HELP,
  parseReference,
  parseSeconds,
  readToken,
  walletOf,
  walletTakes,
} from "../wallet/wallet-options.ts";
import { checkPass, passRules } from "./check-pass.ts";
import { reachServer } from "./reach-server.ts";
import { runShell } from "./run-shell.ts";
import type { Plan, Subject } from "./subject.ts";
import { fingerprintOf, occasionOf, watchServer } from "./watch.ts";

const CHANGE_TIMEOUT_MS = 60_000;

const checkTakes = takes({
  ...walletTakes,
  "--gone-reference <reference>": { text: "a pass that is gone for good", parse: parseReference },
  "--changed-by <command>": "a shell command that changes the pass",
  "--burst <number>": {
    text: "send up to so many requests at once to reach the rate limit",
    parse: wholeNumber(1, 10_000),
  },
  "--wait-budget <seconds>": {
    text: "how long to wait for a busy server in all",
    parse: parseSeconds,
    default: String(WAIT_BUDGET_MS / 1000),
  },
  "--no-scope-token-file <file>": "a valid token without the scope; - for standard input",
  "--strict": "fail for a broken rule of an RFC too, and not only for one of the contract",
  "--watch": "check again when the server restarts or answers differently, and at Enter",
  "--junit <file>": "also write the findings to a file as JUnit XML, for build servers",
});

type Given = GivenOf<typeof checkTakes> & { readonly json: boolean };

/** A check as it runs. */
interface Check extends Pick<Context<readonly Finding[]>, "print" | "progress"> {
  readonly given: Given;
  readonly stop: AbortSignal;
}

/** `check-pass`: checks whether a pass endpoint keeps the contract. */
export const checkPassEndpoint = defineCommand({
  words: "check-pass",
  summary: "check any pass endpoint against the contract",
  about: `
Calls a pass endpoint as the wallet service does, and judges it by each rule of the contract, and of the RFCs that say how
its parts work. The endpoint may be written in any language. A rule of the contract that is broken fails; one of an RFC
warns, and fails with --strict. The report shows first each broken rule, with the reason for the rule and a curl line that
reproduces the fault; then the rules that hold, with what was expected and seen; then, in one line, how many rules were not
checked and which options they need.
${CREDENTIALS_HELP}
--changed-by runs your command, which has to change the pass within a minute. --burst sends many requests at once at the
end of the check, to reach the rate limit. After a 429 or 503 the check waits as Retry-After says, within --wait-budget.
A server that refuses the credentials or does not have the pass cannot be checked: exit code 2.
--junit also writes the findings to a file, as JUnit XML.
--watch checks again when the server was down and is up again, when it answers for the pass differently, and at Enter. Files
are read anew each time. It says which rules were mended and broken since the last check. Ctrl-C ends it with the exit code
of the last check. With --json, each check prints an array of its own.`,
  examples: [
    "ops check-pass https://partner.example --reference demo-1 --token-file token.txt",
    "ops check-pass http://127.0.0.1:8080 --reference demo-1 --token-file token.txt --watch",
    'ops check-pass https://partner.example --reference demo-1 --cert c.pem --key k.pem --ca ca.pem \\\n--gone-reference demo-2 --no-scope-token-file weak.txt --changed-by "./touch-pass demo-1" --burst 500',
  ],
  exits: checkExits,
  on: "nothing",
  takes: checkTakes,
  stops: "",
  json: findingsOutput,
  async run(given, { stoppable, isStopped, print, progress }) {
    refuseSharedInput(given);
    const check = { given, print, progress };
    if (given.watch)
      return { exitCode: (await stoppable((stop) => watch({ ...check, stop }))) ?? exitCodes.interrupted };
    const exitCode = await stoppable(async (stop) => {
      const outcome = await outcomeOf(await subjectOf(given, stop), { ...check, stop });
      const code = await publish(outcome, given.junit, print);
      if (outcome.hindrance !== undefined) throw new OperatorError(outcome.hindrance, outcome.cause);
      return code;
    });
    return isStopped() || exitCode === undefined ? {} : { exitCode };
  },
});

/** Standard input can be read once, and with --watch it is the keyboard. */
function refuseSharedInput({ tokenFile, scopeTokenFile, jwsKey, cert, key, ca, watch }: Given): void {
  if (tokenFile === "-" && scopeTokenFile === "-")
    throw new OperatorError("Only one of --token-file and --no-scope-token-file can be standard input.");
  if (watch && [tokenFile, scopeTokenFile, jwsKey, cert, key, ca].includes("-"))
    throw new OperatorError("--watch reads every file anew for each check, so none can be standard input.");
}

async function planOf(given: Given, stop: AbortSignal): Promise<Plan> {
  const { reference, goneReference, changedBy, burst = 0, strict: isStrict } = given;
  const { tokenFile: token, jwsKey, cert, key, ca, scopeTokenFile } = given;
  // Commander reads `--no-…` as the negation of an option, so the value is true when the option is not given.
  const noScopeToken = scopeTokenFile === true ? undefined : scopeTokenFile;
  return {
    reference,
    burst,
    isStrict,
    ...(goneReference !== undefined && { goneReference }),
    ...(changedBy !== undefined && { change: () => runShell(changedBy, CHANGE_TIMEOUT_MS, stop) }),
    ...(noScopeToken !== undefined && { noScopeToken: await readToken(noScopeToken) }),
    files: { token, noScopeToken, jwsKey, cert, key, ca },
  };
}

/** A new client for each check, because a client remembers what a server has answered. */
async function subjectOf(given: Given, stop: AbortSignal): Promise<Subject> {
  const plan = await planOf(given, stop);
  return { plan, wallet: await walletOf(given, stop, { waitBudgetMs: given.waitBudget * 1000 }) };
}

/** Checks again and again until Ctrl-C. Resolves with the exit code of the last whole check. */
async function watch(check: Check): Promise<number> {
  const { given, stop, print } = check;
  let last: Outcome | undefined;
  /** The last check in which the server could be judged. */
  let judged: Outcome | undefined;
  let subject = await subjectOf(given, stop);
  const checkOnce = async (): Promise<number> => {
    try {
      const outcome = await outcomeOf(subject, check);
      // The last report stays on the screen until the next one is there.
      if (!given.json && process.stdout.isTTY) process.stdout.write(CLEAR_SCREEN);
      const code = await publish(outcome, given.junit, print);
      if (outcome.hindrance === undefined && judged !== undefined)
        console.error(sinceText(judged.findings, outcome.findings));
      if (outcome.hindrance === undefined) judged = outcome;
      else console.error(outcome.hindrance);
      last = outcome;
      return code;
    } catch (error) {
      if (!isEndBy(stop, error)) throw error;
      return exitCodes.failed;
    }
  };
  const nextOccasion = async (): Promise<void> => {
    const { wallet } = subject;
    const { reference } = given;
    const known = await fingerprintOf({ wallet, reference });
    console.error("Watching the server: Enter checks again, Ctrl-C ends.");
    const wasDown = last?.cause instanceof NoAnswer && last.cause.isRefused;
    const how = { wallet, reference, input: process.stdin, known, wasDown };
    const occasion = await occasionOf(
      { ...how, pause: (ms, signal) => pause(ms, undefined, { signal }) },
      stop,
    );
    subject = await subjectOf(given, stop).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      console.error(`${error.message} The credentials of the last check are used.`);
      return subject;
    });
    console.error(`Checking again: ${occasion}.`);
  };
  return (await watchServer({ check: checkOnce, nextOccasion }, stop)) ?? exitCodes.interrupted;
}

/** Clears the screen and what can be scrolled back to, and goes to its beginning (ECMA-48 ED, CUP). */
const CLEAR_SCREEN = "\u001b[2J\u001b[3J\u001b[H";

/** What a check came to. */
interface Outcome extends Report {
  /** The error that kept the server from being checked. */
  readonly cause?: unknown;
}

/** Judges the rules. Where the server cannot be reached, or refuses the first request, every rule is "not checked". */
async function outcomeOf(subject: Subject, check: Check): Promise<Outcome> {
  const about = { name: "check-pass", url: check.given.url, startedAt: systemClock() } as const;
  try {
    await reachServer(subject.wallet, subject.plan.reference);
  } catch (error) {
    check.stop.throwIfAborted();
    if (!(error instanceof OperatorError)) throw error;
    const { message: hindrance, cause } = error;
    return { ...about, findings: passRules.map((rule) => unchecked(rule, hindrance)), hindrance, cause };
  }
  const findings = await judgeAll(subject, check);
  const [first] = findings;
  if (first?.verdict === "pass" || findingsOf(findings, "fail").length > 0) return { ...about, findings };
  const hindrance = `The server did not answer with the pass, so nothing could be checked: ${first?.seen}.`;
  return { ...about, findings, hindrance };
}

/** Judges rule by rule. When the operator stops the check, the findings so far are printed. */
async function judgeAll(subject: Subject, { given, stop, print, progress }: Check): Promise<Finding[]> {
  const judged: Finding[] = [];
  try {
    return await checkPass(passRules, subject, (finding) => {
      stop.throwIfAborted();
      judged.push(finding);
      progress(`checked ${judged.length} of ${passRules.length} rules`);
    });
  } finally {
    progress("");
    if (stop.aborted && !given.watch && judged.length > 0)
      print(undefined, reportText(judged, terminalWidth()));
  }
}
