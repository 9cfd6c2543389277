/** A client of AWS for `using`, which is destroyed where its block ends. */
export const ended = <Client extends { destroy(): void }>(client: Client): Client & Disposable =>
  Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
