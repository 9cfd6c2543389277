import type { Tint } from "../../local/terminal/tint.ts";
import { shortCredentialId } from "../credentials/find-credential.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { type Cell, tableText, terminalWidth } from "../terminal/write-table.ts";
import type { Told } from "./read-lines.ts";

const NOT_LOGGED = "not in the log of a deployment";

type Rows = readonly (readonly Cell[])[];

/** An explanation as text for people, in sections that fit the terminal. */
export function answerText(explanation: Told, advice: string, width = terminalWidth()): string {
  const { method, target, status, code, durationMs, receivedAt, parameters, hints } = explanation;
  const outcome = `${status}${code === undefined ? "" : ` ${code}`}, in ${durationMs} ms, at ${receivedAt}`;
  const sections: readonly (readonly [title: string, rows: Rows])[] = [
    ["Ids", idRows(explanation)],
    ["Steps", stepRows(explanation)],
    ["Error", errorRows(explanation)],
    ["Credentials", credentialRows(explanation)],
    ["Parameters", Object.entries(parameters ?? {})],
    ["Limit", limitRows(explanation)],
    ["Calls of the store", callRows(explanation)],
    ["What to do", [advice, ...hints].map((line) => [line])],
  ];
  const room = width && Math.max(1, width - INDENT.length);
  const shown = sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => `${title}\n${tableText({ rows }, room)}`.replaceAll("\n", `\n${INDENT}`));
  return [`${terminalText(`${method} ${target}`)}\n${terminalText(outcome)}`, ...shown].join("\n\n");
}

const INDENT = "  ";

const present = (rows: readonly (readonly [name: string, value: string | undefined])[]): Rows =>
  rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));

const idRows = ({ endpoint, clientRequestId, requestId, errorId, lambdaRequestId, traceId }: Told): Rows =>
  present([
    ["endpoint", endpoint],
    ["Request-Id", clientRequestId],
    ["apigw-requestid", requestId],
    ["error_id", errorId],
    ["Lambda's id", lambdaRequestId],
    ["trace", traceId],
  ]);

const TINTS: Readonly<Record<Told["steps"][number]["outcome"], Tint | undefined>> = {
  passed: "good",
  refused: "bad",
  "not reached": undefined,
  "not known": "warn",
};

/** The steps; the refusing one with its reason. The gateway's own answers have none. */
function stepRows({ steps, reason, message }: Told): Rows {
  if (steps.length === 0)
    return [[`The gateway answered by itself${reason === undefined ? "" : `: ${reason}`}.`]];
  const why = [reason, message].filter((text) => text !== undefined).join(": ");
  return steps.map(({ step, outcome }) => {
    const tint = TINTS[outcome];
    const cell = tint === undefined ? outcome : { text: outcome, tint };
    return outcome === "refused" ? [step, cell, why] : [step, cell];
  });
}

/** The error behind a 5xx and its causes, each above the places in the code that it went through. */
const errorRows = ({ errors = [] }: Told): Rows =>
  errors.flatMap(({ name, message, code, requestId, frames }) => [
    [[name, code, message, requestId && `(request ${requestId})`].filter(Boolean).join(" ")],
    ...frames.map((frame) => [frame]),
  ]);

function credentialRows({ presented, owner, steps }: Told): Rows {
  if (steps.length === 0) return [];
  const carried = presented?.map(({ kind, names }) => [
    kind,
    Object.entries(names)
      .map(([name, value]) => `${name} ${name === "key" ? shortCredentialId(value) : value}`)
      .join(", "),
  ]);
  const none = presented === undefined ? ["carried", NOT_LOGGED] : ["The request carried none."];
  const isRefused = steps.some(({ step, outcome }) => step === "credentials" && outcome === "refused");
  const proved: Rows = isRefused ? [["verified", "none"]] : present([["verified, of owner", owner]]);
  return [...(carried?.length ? carried : [none]), ...proved];
}

const limitRows = ({ tokensCharged, tokensLeft, steps }: Told): Rows =>
  steps.length === 0
    ? []
    : present([
        ["tokens charged", `${tokensCharged}`],
        ["left (RateLimit)", tokensLeft],
      ]);

const callRows = ({ calls }: Told): Rows =>
  calls?.map((call) => [
    call.operation,
    `${call.table}${call.index === undefined ? "" : `/${call.index}`}`,
    call.key,
    unitsOf(call),
    `${call.durationMs.toFixed(1)} ms`,
    ...(call.failure === undefined ? [] : [call.failure]),
  ]) ?? [[NOT_LOGGED]];

const unitsOf = ({ readUnits, writeUnits }: NonNullable<Told["calls"]>[number]): string =>
  writeUnits > 0 ? `${writeUnits} write` : `${readUnits} read`;
