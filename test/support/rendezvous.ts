import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { listenOnLoopback } from "./listen-on-loopback.ts";

export interface Rendezvous {
  readonly url: string;
  /** Resolves when `count` callers wait. */
  arrived(count: number): Promise<void>;
  /** Answers all waiting callers, and from now on every caller at once. */
  open(): void;
  close(): Promise<void>;
}

/** A place where callers wait for each other, so that a test can make things coincide without a clock. */
export async function startRendezvous(): Promise<Rendezvous> {
  const waiting: ServerResponse[] = [];
  let isOpen = false;
  let wanted: { count: number; resolve: () => void } | undefined;
  const server = createServer((_, response) => {
    if (isOpen) response.end();
    else waiting.push(response);
    if (wanted !== undefined && waiting.length >= wanted.count) wanted.resolve();
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    arrived: (count) =>
      new Promise((resolve) => {
        if (waiting.length >= count) resolve();
        else wanted = { count, resolve };
      }),
    open: () => {
      isOpen = true;
      for (const response of waiting.splice(0)) response.end();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
