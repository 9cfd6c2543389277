import type { Brand } from "../brand.ts";
import { isMaskedCardNumber } from "./card-number.ts";
import type { TransactionDocument } from "./transaction-document.ts";
import { cardTypes, ownAccountTypes } from "./transaction-kinds.ts";

/** One rule, which returns what is wrong with a transaction that breaks it. */
type Rule = (transaction: TransactionDocument, brand: Brand) => string | undefined;
type Leg = TransactionDocument["legs"][number];

const completionTime: Rule = ({ state, completed_at }) => {
  if (state === "completed" && completed_at === undefined)
    return "completed_at is required when state is completed";
  if (completed_at === undefined || state === "completed" || state === "reverted") return undefined;
  return "completed_at must be left out unless state is completed, or reverted after that";
};

const merchantOfCard: Rule = ({ type, merchant }) =>
  merchant === undefined || cardTypes.has(type)
    ? undefined
    : `merchant must be left out unless type is one of ${[...cardTypes].join(", ")}`;

const accountTypes: Rule = ({ legs }, brand) => {
  const words = ["self", brand.ownAccount, "external"];
  const index = legs.findIndex((leg) => leg.counterparty && !words.includes(leg.counterparty.account_type));
  return index < 0
    ? undefined
    : `legs[${index}].counterparty.account_type must be one of ${words.join(", ")}`;
};

const isBetweenOwnAccounts = (leg: Leg, type: TransactionDocument["type"]): boolean =>
  leg.counterparty === undefined ? ownAccountTypes.has(type) : leg.counterparty.account_type === "self";

const legCount: Rule = ({ legs, type }) =>
  legs.length === 1 || legs.every((leg) => isBetweenOwnAccounts(leg, type))
    ? undefined
    : "legs must have one leg: two are for transactions between own accounts (counterparty.account_type self)";

/** The reason must not repeat the number, because it reaches terminals, logs and files. */
const cardNumber: Rule = ({ card }) =>
  card?.card_number === undefined || isMaskedCardNumber(card.card_number)
    ? undefined
    : "card.card_number must be masked: at most its first 8 and last 4 digits, with * for the others";

const referenceNames: Rule = ({ card }) => {
  const names = card?.references?.map((reference) => reference.name) ?? [];
  const index = names.findIndex((name, at) => names.indexOf(name) < at);
  return index < 0 ? undefined : `card.references[${index}].name must differ from the names before it`;
};

const rules: readonly Rule[] = [
  completionTime,
  merchantOfCard,
  accountTypes,
  legCount,
  cardNumber,
  referenceNames,
];

/**
 * The rules that a transaction of the right shape breaks, as sentences that name the members; undefined for a good one.
 * Only the record itself is looked at, so that the order in which versions arrive cannot change the result.
 */
export function transactionViolation(transaction: TransactionDocument, brand: Brand): string | undefined {
  const violations = rules
    .map((rule) => rule(transaction, brand))
    .filter((violation) => violation !== undefined);
  return violations.length === 0 ? undefined : violations.join("; ");
}
