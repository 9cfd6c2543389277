import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { checkPass, type Finding, rulesOf, type Verdict } from "../contract-check/check-pass.ts";
import type { Plan } from "../contract-check/rule.ts";
import { exitCodes, OperatorError } from "../operator-error.ts";
import { tableText } from "../write-table.ts";
import {
  addWalletOptions,
  CREDENTIALS_HELP,
  readToken,
  type WalletCommandOptions,
  walletOf,
} from "./wallet-options.ts";

const BURST_MAX = 10_000;

const HELP = `
Calls any pass endpoint, in any language, as the wallet service would, and prints each rule of the contract, what is
expected, what was seen, and pass, fail, or not checked with what is missing.
${CREDENTIALS_HELP}
--changed-by runs a command of yours that changes the pass. --burst sends many requests at once, last of all, to meet
the rate limit. With --json, standard output is one JSON array: id, rule, expected, seen, verdict.

Examples:
  npm run ops -- check-pass https://partner.example --reference demo-1 --token-file token.txt
  npm run ops -- check-pass https://partner.example --reference demo-1 --cert c.pem --key k.pem --ca ca.pem \\
    --gone-reference demo-2 --no-scope-token-file weak.txt --changed-by "./touch-pass demo-1" --burst 500

Exit codes: 0 nothing failed, 1 a rule is broken, 2 the check could not be made.`;

interface Options extends WalletCommandOptions {
  readonly goneReference?: string;
  readonly changedBy?: string;
  readonly burst: number;
  /** Commander takes `--no-` for the negation of an option: true stands for "not given". */
  readonly scopeTokenFile: string | true;
  readonly json?: true;
}

function parseBurst(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= BURST_MAX) return count;
  throw new InvalidArgumentError(`It must be a number from 1 to ${BURST_MAX}.`);
}

/** Runs the operator's own command in a shell. What it prints goes to standard error, beside the report. */
async function runShell(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ["ignore", 2, 2] });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new OperatorError(`The command of --changed-by ended with code ${code ?? "none"}.`);
}

async function planOf(options: Options): Promise<Plan> {
  const { reference, goneReference, changedBy, burst, scopeTokenFile } = options;
  return {
    reference,
    burst,
    ...(goneReference !== undefined && { goneReference }),
    ...(changedBy !== undefined && { change: () => runShell(changedBy) }),
    ...(scopeTokenFile !== true && { noScopeToken: await readToken(scopeTokenFile) }),
  };
}

function asTable(findings: readonly Finding[]): string {
  const rows = findings.map(({ rule, expected, seen, verdict }) => [verdict, rule, expected, seen]);
  return tableText([["VERDICT", "RULE", "EXPECTED", "SEEN"], ...rows]);
}

const count = (findings: readonly Finding[], verdict: Verdict): number =>
  findings.filter((finding) => finding.verdict === verdict).length;

async function check(url: string, options: Options): Promise<void> {
  if (options.tokenFile === "-" && options.scopeTokenFile === "-") {
    throw new OperatorError("Only one of --token-file and --no-scope-token-file can be standard input.");
  }
  const wallet = await walletOf(url, options);
  const rules = rulesOf(options.versionHeader, systemClock);
  const findings = await checkPass(rules, { wallet, plan: await planOf(options) });
  const failed = count(findings, "fail");
  if (options.json === true) console.log(JSON.stringify(findings));
  else {
    const summary = `${count(findings, "pass")} pass, ${failed} fail, ${count(findings, "not checked")} not checked`;
    console.log(`${asTable(findings)}\n\n${summary}`);
  }
  process.exitCode = failed > 0 ? exitCodes.someRefused : exitCodes.done;
}

/** `check-pass`: whether a pass endpoint keeps the contract. */
export function checkPassEndpoint(group: Command): void {
  addWalletOptions(group.command("check-pass").description("check any pass endpoint against the contract"))
    .option("--gone-reference <reference>", "a pass that is gone for good")
    .option("--changed-by <command>", "a shell command that changes the pass")
    .option("--burst <number>", "how many requests may be sent to meet the rate limit", parseBurst, 0)
    .option("--no-scope-token-file <file>", "a valid token without the scope; - for standard input")
    .option("--json", "print one JSON array, for programs")
    .addHelpText("after", HELP)
    .action(check);
}
