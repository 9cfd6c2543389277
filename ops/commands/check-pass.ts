import { writeFile } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { allUnchecked, checkPass, type Finding, rulesOf } from "../contract-check/check-pass.ts";
import { junitXml } from "../contract-check/junit-report.ts";
import { reachServer } from "../contract-check/reach-server.ts";
import { findingsOf, reportText } from "../contract-check/report.ts";
import type { CredentialFiles, Plan, Rule, Subject } from "../contract-check/rule.ts";
import { runShell } from "../contract-check/run-shell.ts";
import { callersPath, optionOf } from "../store/store-options.ts";
import { codeOf, exitCodes, OperatorError } from "../terminal/operator-error.ts";
import { terminalWidth } from "../terminal/write-table.ts";
import { WAIT_BUDGET_MS } from "../wallet/wallet.ts";
import {
  addWalletOptions,
  CREDENTIALS_HELP,
  parseReference,
  parseSeconds,
  readToken,
  type WalletCommandOptions,
  walletOf,
} from "../wallet/wallet-options.ts";

const BURST_MAX = 10_000;
const CHANGE_TIMEOUT_MS = 60_000;

const HELP = `
Calls a pass endpoint as the wallet service does, and judges it by each rule of the contract. The endpoint may be written
in any language. The report shows first each broken rule, with the reason for the rule and a curl line that reproduces the
fault; then the rules that hold, with what was expected and seen; then, in one line, how many rules were not checked and
which options they need.
${CREDENTIALS_HELP}
--changed-by runs your command, which has to change the pass within a minute. --burst sends many requests at once at the
end of the check, to reach the rate limit. After a 429 or 503 the check waits as Retry-After says, within --wait-budget.
A server that refuses the credentials or does not have the pass cannot be checked: exit code 2.
With --json, standard output is one JSON array of objects: id, rule, expected, seen, verdict (pass, fail or not checked),
why, and curl for a fail. --junit also writes the findings to a file, as JUnit XML.

Examples:
  npm run ops -- check-pass https://partner.example --reference demo-1 --token-file token.txt
  npm run ops -- check-pass https://partner.example --reference demo-1 --cert c.pem --key k.pem --ca ca.pem \\
    --gone-reference demo-2 --no-scope-token-file weak.txt --changed-by "./touch-pass demo-1" --burst 500

Exit codes: 0 nothing failed, 1 a rule is broken, 2 the check could not be made, 130 stopped by Ctrl-C.`;

interface Options extends WalletCommandOptions {
  readonly goneReference?: string;
  readonly changedBy?: string;
  readonly burst: number;
  /** Seconds. */
  readonly waitBudget: number;
  /** Commander reads `--no-…` as the negation of an option, so the value is true when the option is not given. */
  readonly scopeTokenFile: string | true;
  readonly json?: true;
  readonly junit?: string;
}

function parseBurst(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= BURST_MAX) return count;
  throw new InvalidArgumentError(`It must be a number from 1 to ${BURST_MAX}.`);
}

async function planOf(options: Options, signal: AbortSignal): Promise<Plan> {
  const { reference, goneReference, changedBy, burst, scopeTokenFile } = options;
  return {
    reference,
    burst,
    ...(goneReference !== undefined && { goneReference }),
    ...(changedBy !== undefined && { change: () => runShell(changedBy, CHANGE_TIMEOUT_MS, signal) }),
    ...(scopeTokenFile !== true && { noScopeToken: await readToken(scopeTokenFile) }),
    files: filesOf(options),
  };
}

const filesOf = ({ tokenFile, scopeTokenFile, jwsKey, cert, key, ca }: Options): CredentialFiles => ({
  ...(tokenFile !== undefined && { token: tokenFile }),
  ...(scopeTokenFile !== true && { noScopeToken: scopeTokenFile }),
  ...(jwsKey !== undefined && { jwsKey }),
  ...(cert !== undefined && { cert }),
  ...(key !== undefined && { key }),
  ...(ca !== undefined && { ca }),
});

async function check(url: string, options: Options): Promise<void> {
  if (options.tokenFile === "-" && options.scopeTokenFile === "-") {
    throw new OperatorError("Only one of --token-file and --no-scope-token-file can be standard input.");
  }
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const plan = await planOf(options, stop.signal);
  const waitBudgetMs = options.waitBudget * 1000;
  const wallet = await walletOf(url, options, stop.signal, { waitBudgetMs });
  await unlessStopped(stop.signal, async () => {
    process.exitCode = await report(url, { wallet, plan }, options, stop.signal);
  });
}

/** Ignores the errors of requests and commands after the operator has stopped the check: the stop caused them. */
async function unlessStopped(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) process.exitCode = exitCodes.interrupted;
}

/** The findings of a check, and the error that kept the server from being checked, if there was one. */
interface Outcome {
  readonly findings: readonly Finding[];
  readonly hindrance?: OperatorError;
}

/** Checks every rule and reports the findings. Resolves with the exit code. @throws {OperatorError} */
async function report(url: string, subject: Subject, options: Options, signal: AbortSignal): Promise<number> {
  const startedAt = systemClock();
  const { findings, hindrance } = await outcomeOf(subject, options, signal);
  if (options.json) console.log(JSON.stringify(findings));
  else if (findings.some(({ verdict }) => verdict !== "not checked")) printFindings(findings);
  if (options.junit !== undefined)
    await writeReport(
      options.junit,
      junitXml({ name: "check-pass", url, startedAt, findings, hindrance: hindrance?.message }),
    );
  if (hindrance !== undefined) throw hindrance;
  return findingsOf(findings, "fail").length > 0 ? exitCodes.someRefused : exitCodes.done;
}

const printFindings = (findings: readonly Finding[]): void =>
  console.log(reportText(findings, terminalWidth()));

/** Judges the rules. Where the server cannot be reached, or refuses the first request, every rule is "not checked". */
async function outcomeOf(subject: Subject, options: Options, signal: AbortSignal): Promise<Outcome> {
  const rules = rulesOf(options.versionHeader, systemClock);
  try {
    await reachServer(subject.wallet, subject.plan.reference);
  } catch (error) {
    if (signal.aborted || !(error instanceof OperatorError)) throw error;
    return { findings: allUnchecked(rules, error.message), hindrance: error };
  }
  const findings = await judgeAll(rules, subject, options, signal);
  const [first] = findings;
  if (first?.verdict === "pass" || findingsOf(findings, "fail").length > 0) return { findings };
  const message = `The server did not answer with the pass, so nothing could be checked: ${first?.seen}.`;
  return { findings, hindrance: new OperatorError(message) };
}

/** Judges rule by rule. When the operator stops the check, the findings so far are printed. */
async function judgeAll(rules: readonly Rule[], subject: Subject, { json }: Options, signal: AbortSignal) {
  const judged: Finding[] = [];
  try {
    await checkPass(rules, subject, (finding) => {
      signal.throwIfAborted();
      judged.push(finding);
      showProgress(`checked ${judged.length} of ${rules.length} rules`);
    });
  } finally {
    showProgress("");
    if (signal.aborted && json !== true && judged.length > 0) printFindings(judged);
  }
  return judged;
}

/** Shows a line of progress on a terminal, because a check may wait for minutes. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeFile(callersPath(file), text);
  } catch (error) {
    throw new OperatorError(`${file} cannot be written (${codeOf(error)}).`, error);
  }
}

/** `check-pass`: checks whether a pass endpoint keeps the contract. */
export function checkPassEndpoint(group: Command): void {
  addWalletOptions(group.command("check-pass").description("check any pass endpoint against the contract"))
    .option("--gone-reference <reference>", "a pass that is gone for good", optionOf(parseReference))
    .option("--changed-by <command>", "a shell command that changes the pass")
    .option("--burst <number>", "send up to so many requests at once to reach the rate limit", parseBurst, 0)
    .option(
      "--wait-budget <seconds>",
      "how long to wait for a busy server in all",
      optionOf(parseSeconds),
      WAIT_BUDGET_MS / 1000,
    )
    .option("--no-scope-token-file <file>", "a valid token without the scope; - for standard input")
    .option("--json", "print one JSON array, for programs")
    .option("--junit <file>", "also write the findings to a file as JUnit XML, for build servers")
    .addHelpText("after", HELP)
    .action(check);
}
