import { type ExactNumber, parseExactJson, writeExactJson } from "../../../lib/json/exact-json.ts";
import { isPartnerReference } from "../../../lib/passes/partner-reference.ts";
import { PassRegister } from "../../../lib/passes/pass-register.ts";
import { PassStore } from "../../../lib/passes/pass-store.ts";
import { putPass } from "../../../lib/passes/put-pass.ts";
import { voidPass } from "../../records/void-pass.ts";
import { demoCurl } from "./demo-curl.ts";
import type { Members, RecordKind } from "./record-kind.ts";

/** The words for a pass of the next version, and for one that is gone. */
const NEXT = "next";
const VOID = "void";

/** A pass that is gone has no members but its reference. */
const isGone = ({ version }: Members): boolean => version === undefined;

/** The highest version that the contract's writer takes, in as many digits. */
const versionAfter = ({ version }: Members): ExactNumber =>
  parseExactJson(String(BigInt((version as ExactNumber).rawJSON) + 1n)) as ExactNumber;

/** Passes, of which each version is a state: an entity tag stands for it. */
export const passKind: RecordKind = {
  noun: "pass",
  find: async ({ table }, id) => {
    const pass = isPartnerReference(id) ? await new PassStore(table("Passes")).get(id) : undefined;
    if (pass === undefined) return [];
    const members = pass.state === "void" ? { partner_reference: id } : parseExactJson(pass.text);
    return [{ ownerId: undefined, members: members as Members }];
  },
  stateOf: (members) => (isGone(members) ? VOID : `version ${(members.version as ExactNumber).rawJSON}`),
  reaches: (members) => (isGone(members) ? [] : [NEXT, VOID]),
  changed: (members, state) =>
    state === VOID
      ? { partner_reference: members.partner_reference }
      : { ...members, version: versionAfter(members) },
  put: ({ table }, { members }, state, clock) => {
    const register = new PassRegister(table("Passes"));
    if (state === VOID) return voidPass(register, String(members.partner_reference), clock);
    return putPass(register, writeExactJson(members), { clock });
  },
  curlLine: ({ baseUrl, passes }, { members }) =>
    demoCurl(`${baseUrl}/passes/${String(members.partner_reference)}`, {
      Authorization: `Bearer ${passes.token}`,
      [passes.versionHeader]: passes.version,
    }),
};
