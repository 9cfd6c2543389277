// Reads a sell order, waits as the service says, and keeps every digit of its amounts. It needs Node.js 22 or later.
if (!JSON.rawJSON) throw new Error(`order.mjs needs Node.js 22 or later, and this is ${process.version}.`);

const isNumber = (value) => typeof value === "number";
const keepDigits = (_key, value, { source }) => (isNumber(value) ? source : value);

async function get(url, headers) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { headers });
    const body = JSON.parse(await response.text(), keepDigits);
    if (response.ok) return body;
    const waitMs = Number(body.retry_after_ms);
    if (!(waitMs >= 0) || attempt === 5) throw new Error(`${response.status} ${body.code}: ${body.message}`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

const order = await get(process.argv[2], { "X-API-KEY": process.env.API_KEY });
console.log(order.crypto.amount); // text with every digit: give it to a decimal library, never to Number()
