import type { Connection } from "./connection.ts";
import type { Reader } from "./page.ts";
import type { Question } from "./question.ts";
import { tradeReader } from "./trade-reader.ts";
import { transactionReader } from "./transaction-reader.ts";

/** The reader of a question's records. */
export const readerOf = (connection: Connection, question: Question): Reader =>
  question.get === "trades" ? tradeReader(connection, question) : transactionReader(connection, question);
