import { setTimeout as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { findingsOf, printFindings, publish, type Report, sinceText } from "../checks/report.ts";
import { exampleFindings, type Finding, findingsShape, unchecked } from "../checks/rule.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { optionOf } from "../store/store-options.ts";
import { addJsonOption } from "../terminal/json-output.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { NoAnswer } from "../wallet/http-exchange.ts";
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
import { checkPass, passRules } from "./check-pass.ts";
import { reachServer } from "./reach-server.ts";
import { runShell } from "./run-shell.ts";
import type { CredentialFiles, Plan, Subject } from "./subject.ts";
import { fingerprintOf, type Occasion, occasionOf, watchServer } from "./watch.ts";

const BURST_MAX = 10_000;
const CHANGE_TIMEOUT_MS = 60_000;

const HELP = `
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
of the last check. With --json, each check prints an array of its own.

Examples:
  ${commands.ops} check-pass https://partner.example --reference demo-1 --token-file token.txt
  ${commands.ops} check-pass http://127.0.0.1:8080 --reference demo-1 --token-file token.txt --watch
  ${commands.ops} check-pass https://partner.example --reference demo-1 --cert c.pem --key k.pem --ca ca.pem \\
    --gone-reference demo-2 --no-scope-token-file weak.txt --changed-by "./touch-pass demo-1" --burst 500

Exit codes: 0 nothing failed (there may be warnings), 1 a rule of the contract is broken, or with --strict any rule, 2 the
check could not be made, 130 stopped by Ctrl-C.`;

interface Options extends WalletCommandOptions {
  readonly goneReference?: string;
  readonly changedBy?: string;
  readonly burst: number;
  /** Seconds. */
  readonly waitBudget: number;
  /** Commander reads `--no-…` as the negation of an option, so the value is true when the option is not given. */
  readonly scopeTokenFile: string | true;
  readonly strict?: true;
  readonly watch?: true;
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
    isStrict: options.strict === true,
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
  refuseSharedInput(options);
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => {});
  if (options.watch === true) {
    process.exitCode = await watch(url, options, stop.signal);
  } else {
    const subject = await subjectOf(url, options, stop.signal);
    await unlessStopped(stop.signal, async () => {
      process.exitCode = await report(url, subject, options, stop.signal);
    });
  }
  interrupt.forget();
}

/** Standard input can be read once, and with --watch it is the keyboard. */
function refuseSharedInput({ tokenFile, scopeTokenFile, jwsKey, cert, key, ca, watch }: Options): void {
  if (tokenFile === "-" && scopeTokenFile === "-")
    throw new OperatorError("Only one of --token-file and --no-scope-token-file can be standard input.");
  if (watch === true && [tokenFile, scopeTokenFile, jwsKey, cert, key, ca].includes("-"))
    throw new OperatorError("--watch reads every file anew for each check, so none can be standard input.");
}

/** A new client for each check, because a client remembers what a server has answered. */
async function subjectOf(url: string, options: Options, signal: AbortSignal): Promise<Subject> {
  const plan = await planOf(options, signal);
  const waitBudgetMs = options.waitBudget * 1000;
  return { plan, wallet: await walletOf(url, options, signal, { waitBudgetMs }) };
}

/** Checks again and again until Ctrl-C. Resolves with the exit code of the last whole check. */
async function watch(url: string, options: Options, signal: AbortSignal): Promise<number> {
  let last: Outcome | undefined;
  /** The last check in which the server could be judged. */
  let judged: Outcome | undefined;
  let subject = await subjectOf(url, options, signal);
  const check = async (): Promise<number> => {
    let code: number = exitCodes.failed;
    await unlessStopped(signal, async () => {
      const outcome = await outcomeOf(url, subject, signal, options);
      // The last report stays on the screen until the next one is there.
      if (options.json !== true && process.stdout.isTTY) process.stdout.write(CLEAR_SCREEN);
      code = await publish(outcome, options);
      if (outcome.hindrance !== undefined) console.error(outcome.hindrance);
      else {
        if (judged !== undefined) console.error(sinceText(judged.findings, outcome.findings));
        judged = outcome;
      }
      last = outcome;
    });
    return code;
  };
  const nextOccasion = async (): Promise<Occasion> => {
    const { wallet } = subject;
    const known = await fingerprintOf({ wallet, reference: options.reference });
    console.error("Watching the server: Enter checks again, Ctrl-C ends.");
    const wasDown = last?.cause instanceof NoAnswer && last.cause.isRefused;
    const how = { wallet, reference: options.reference, input: process.stdin, known, wasDown };
    const occasion = await occasionOf({ ...how, pause: pauseUntil }, signal);
    subject = await subjectOf(url, options, signal).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      console.error(`${error.message} The credentials of the last check are used.`);
      return subject;
    });
    return occasion;
  };
  const announce = (occasion: Occasion): void => console.error(`Checking again: ${occasion}.`);
  return (await watchServer({ check, nextOccasion, announce, signal })) ?? exitCodes.interrupted;
}

/** Clears the screen and what can be scrolled back to, and goes to its beginning (ECMA-48 ED, CUP). */
const CLEAR_SCREEN = "\u001b[2J\u001b[3J\u001b[H";

const pauseUntil = (ms: number, signal: AbortSignal): Promise<void> => pause(ms, undefined, { signal });

/** Ignores the errors of requests and commands after the operator has stopped the check: the stop caused them. */
async function unlessStopped(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) process.exitCode = exitCodes.interrupted;
}

/** What a check came to. */
interface Outcome extends Report {
  /** The error that kept the server from being checked. */
  readonly cause?: unknown;
}

/** Checks every rule and reports the findings. Resolves with the exit code. @throws {OperatorError} */
async function report(url: string, subject: Subject, options: Options, signal: AbortSignal): Promise<number> {
  const outcome = await outcomeOf(url, subject, signal, options);
  const code = await publish(outcome, options);
  if (outcome.hindrance !== undefined) throw new OperatorError(outcome.hindrance, outcome.cause);
  return code;
}

/** Judges the rules. Where the server cannot be reached, or refuses the first request, every rule is "not checked". */
async function outcomeOf(
  url: string,
  subject: Subject,
  signal: AbortSignal,
  options: Options,
): Promise<Outcome> {
  const about = { name: "check-pass", url, startedAt: systemClock() } as const;
  try {
    await reachServer(subject.wallet, subject.plan.reference);
  } catch (error) {
    if (signal.aborted || !(error instanceof OperatorError)) throw error;
    const { message: hindrance, cause } = error;
    return { ...about, findings: passRules.map((rule) => unchecked(rule, hindrance)), hindrance, cause };
  }
  const findings = await judgeAll(subject, options, signal);
  const [first] = findings;
  if (first?.verdict === "pass" || findingsOf(findings, "fail").length > 0) return { ...about, findings };
  const hindrance = `The server did not answer with the pass, so nothing could be checked: ${first?.seen}.`;
  return { ...about, findings, hindrance };
}

/** Judges rule by rule. When the operator stops the check, the findings so far are printed. */
async function judgeAll(subject: Subject, { json, watch }: Options, signal: AbortSignal) {
  const judged: Finding[] = [];
  try {
    return await checkPass(passRules, subject, (finding) => {
      signal.throwIfAborted();
      judged.push(finding);
      showProgress(`checked ${judged.length} of ${passRules.length} rules`);
    });
  } finally {
    showProgress("");
    const showsPart = json !== true && watch !== true && judged.length > 0;
    if (signal.aborted && showsPart) printFindings(judged);
  }
}

/** `check-pass`: checks whether a pass endpoint keeps the contract. */
export function checkPassEndpoint(group: Command): void {
  const command = addWalletOptions(
    group.command("check-pass").description("check any pass endpoint against the contract"),
  )
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
    .option("--strict", "fail for a broken rule of an RFC too, and not only for one of the contract")
    .option("--watch", "check again when the server restarts or answers differently, and at Enter")
    .option("--junit <file>", "also write the findings to a file as JUnit XML, for build servers");
  addJsonOption(command, findingsShape, exampleFindings).addHelpText("after", HELP).action(check);
}
