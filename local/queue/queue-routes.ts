import * as z from "zod/mini";

/** Removes from the data directory what is left there of messages that are gone. */
export const dropDeletedMessages = {
  name: "drop-deleted-messages",
  input: z.object({}),
  output: z.object({}),
};
