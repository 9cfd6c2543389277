/** A transaction in the contract's shape. */
export const transaction = (id: string, members: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    id,
    type: "card_payment",
    state: "completed",
    created_at: "2026-11-02T10:00:00Z",
    updated_at: "2026-11-02T10:00:05Z",
    completed_at: "2026-11-02T10:00:05Z",
    legs: [{ leg_id: `${id}-leg`, amount: -12.3, currency: "EUR", account_id: "account-1" }],
    ...members,
  });

/** A sell order in the contract's shape. */
export const sellOrder = (id: string, ownAccount: string, amount = "47.80"): string =>
  `{"id":"${id}","fiat":{"amount":${amount},"currency":"EUR"},"crypto":{"amount":0.123456789012345678,"currencyId":"BTC"},` +
  `"fees":{"ramp_fee":{"amount":0.48,"currency":"EUR"}},"exchange_rate":387.5,"payment":"${ownAccount}",` +
  `"created_at":"2026-11-02T10:00:00Z","updated_at":"2026-11-02T10:00:05Z","status":"PROCESSING","fees_partner_currency":{}}`;

/** Many transactions, one a line. */
export const transactions = (count: number): string =>
  Array.from({ length: count }, (_, at) => `${transaction(`tx-${at}`)}\n`).join("");
