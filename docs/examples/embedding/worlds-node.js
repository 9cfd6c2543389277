import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

const { WORLDS = "http://127.0.0.1:3000/worlds" } = process.env;
const send = async (url, body, method = "POST") =>
  (await fetch(url, { method, body: JSON.stringify(body) })).json();

let world;
beforeEach(async () => {
  world = await send(WORLDS);
});
afterEach(() => send(world.control, undefined, "DELETE"));

test("a token expires with the world's time", async () => {
  const { token } = await send(`${world.control}/token`, { expiresInS: 60 });
  const ask = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`${world.baseUrl}/transactions?count=1`, { headers })).status;
  };
  assert.equal(await ask(), 200);
  await send(`${world.control}/time`, { to: "+2m" });
  assert.equal(await ask(), 401);
});
