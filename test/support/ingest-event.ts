import { writeMessage } from "../../lib/ingest/write-message.ts";
import { sellOrderText, transactionText } from "./documents.ts";

/**
 * A batch of messages as Lambda hands it over, with a record of each kind: together they make every store call that the
 * function can make.
 *
 * @param others further records of the message with the pass.
 */
export function ingestEvent(...others: readonly string[]): object {
  const bodies = [
    writeMessage({ kind: "market" }, ['{"symbol":"BTC-USD"}']),
    writeMessage({ kind: "transaction", owner: "acme" }, [transactionText()]),
    writeMessage({ kind: "sell_order", owner: "ramp" }, [sellOrderText()]),
    writeMessage({ kind: "pass" }, [
      '{"partner_reference":"a","type":"loyalty_pass","version":1}',
      ...others,
    ]),
    writeMessage({ kind: "trade", owner: "BTC-USD" }, ['{"tdt":1000,"p":"1","q":"1","tid":"1"}']),
  ];
  const Records = bodies.map((body, at) => ({
    messageId: String(at),
    body,
    attributes: { ApproximateReceiveCount: "1" },
  }));
  return { Records };
}
