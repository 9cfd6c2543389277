import { randomInt } from "node:crypto";
import { type Credential, exchangeKeyId } from "./credential.ts";

const SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 64;

/** Whether a text has the form of an API key of the exchange. */
export const isExchangeApiKey = (text: string): boolean => /^[A-Za-z0-9]{64}$/.test(text);

/** A new API key of the exchange: 64 letters and digits, each drawn evenly. */
export const newExchangeApiKey = (): string =>
  Array.from({ length: LENGTH }, () => SYMBOLS.charAt(randomInt(SYMBOLS.length))).join("");

export interface ExchangeKeyOptions {
  readonly apiKey: string;
  /** As `readRegistrableKey` returns it. */
  readonly publicKey: string;
  readonly owner: string;
  readonly scopes: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly expiresAt?: number | undefined;
}

/** The credential under which an API key of the exchange is registered. */
export const exchangeCredentialOf = (options: ExchangeKeyOptions): Credential => ({
  id: exchangeKeyId(options.apiKey),
  kind: "exchange-key",
  owner: options.owner,
  scopes: options.scopes,
  publicKey: options.publicKey,
  createdAt: options.now,
  ...(options.expiresAt !== undefined && { expiresAt: options.expiresAt }),
});
