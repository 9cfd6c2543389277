import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { checkPass, type Finding, rulesOf, type Verdict } from "../contract-check/check-pass.ts";
import { reachServer } from "../contract-check/reach-server.ts";
import type { Plan, Rule, Subject } from "../contract-check/rule.ts";
import { runShell } from "../contract-check/run-shell.ts";
import { exitCodes, OperatorError } from "../operator-error.ts";
import { optionOf } from "../store-options.ts";
import { WAIT_BUDGET_MS } from "../wallet/wallet.ts";
import {
  addWalletOptions,
  CREDENTIALS_HELP,
  parseReference,
  parseSeconds,
  readToken,
  type WalletCommandOptions,
  walletOf,
} from "./wallet-options.ts";

const BURST_MAX = 10_000;
const CHANGE_TIMEOUT_MS = 60_000;
const VERDICT_WIDTH = "not checked".length;

const HELP = `
Calls any pass endpoint, in any language, as the wallet service would, and prints each rule of the contract, what is
expected, what was seen, and pass, fail, or not checked with what is missing.
${CREDENTIALS_HELP}
--changed-by runs a command of yours that changes the pass, for a minute at most. --burst sends many requests at once,
last of all, to meet the rate limit. A 429 or 503 is waited out as its Retry-After says, within --wait-budget. With --json, standard output is one JSON array: id, rule, expected, seen, verdict.

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
  /** Commander takes `--no-` for the negation of an option: true stands for "not given". */
  readonly scopeTokenFile: string | true;
  readonly json?: true;
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
  };
}

/** Writes findings as lines of one table, whose width is known before the first of them. */
function tableOf(rules: readonly Rule[]): { head: string; lineOf(finding: Finding): string } {
  const columns = [["rule", "RULE"] as const, ["expected", "EXPECTED"] as const];
  const widths = columns.map(([name, title]) =>
    Math.max(title.length, ...rules.map((rule) => rule[name].length)),
  );
  const row = (verdict: string, cells: readonly string[], seen: string): string =>
    [verdict.padEnd(VERDICT_WIDTH), ...cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)), seen].join(
      "  ",
    );
  return {
    head: row("VERDICT", ["RULE", "EXPECTED"], "SEEN"),
    lineOf: ({ verdict, rule, expected, seen }) => row(verdict, [rule, expected], seen),
  };
}

const count = (findings: readonly Finding[], verdict: Verdict): number =>
  findings.filter((finding) => finding.verdict === verdict).length;

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
    await reachServer(wallet, plan.reference);
    process.exitCode = await report({ wallet, plan }, options, stop.signal);
  });
}

/** Once the operator has stopped the check, what its requests and commands say does not matter. */
async function unlessStopped(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) process.exitCode = exitCodes.interrupted;
}

/** Checks every rule and prints what became of it. Resolves with the exit code. */
async function report(subject: Subject, options: Options, signal: AbortSignal): Promise<number> {
  const rules = rulesOf(options.versionHeader, systemClock);
  const table = tableOf(rules);
  const isLive = options.json !== true;
  if (isLive) console.log(table.head);
  const findings = await checkPass(rules, subject, (finding) => {
    signal.throwIfAborted();
    if (isLive) console.log(table.lineOf(finding));
  });
  const [passed, failed] = [count(findings, "pass"), count(findings, "fail")];
  if (isLive) console.log(`\n${passed} pass, ${failed} fail, ${count(findings, "not checked")} not checked`);
  else console.log(JSON.stringify(findings));
  if (failed > 0) return exitCodes.someRefused;
  const [first] = findings;
  if (first?.verdict === "pass") return exitCodes.done;
  throw new OperatorError(`The pass was not answered, so nothing is proven: ${first?.seen}.`);
}

/** `check-pass`: whether a pass endpoint keeps the contract. */
export function checkPassEndpoint(group: Command): void {
  addWalletOptions(group.command("check-pass").description("check any pass endpoint against the contract"))
    .option("--gone-reference <reference>", "a pass that is gone for good", optionOf(parseReference))
    .option("--changed-by <command>", "a shell command that changes the pass")
    .option("--burst <number>", "how many requests may be sent to meet the rate limit", parseBurst, 0)
    .option(
      "--wait-budget <seconds>",
      "how long a busy server is waited for in all",
      optionOf(parseSeconds),
      WAIT_BUDGET_MS / 1000,
    )
    .option("--no-scope-token-file <file>", "a valid token without the scope; - for standard input")
    .option("--json", "print one JSON array, for programs")
    .addHelpText("after", HELP)
    .action(check);
}
