/** A text or file that is not a public key to register. The message tells its owner what to hand in instead. */
export class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

/** What to do about a private key that was given. */
export const KEEP_PRIVATE =
  "It must not leave the machine that signs with it: register its public half. If it was sent to anyone, " +
  "make a new pair. `openssl pkey -in private.pem -pubout` prints the public half.";
/** The message for a private key. */
export const PRIVATE_KEY = `This is a private key. ${KEEP_PRIVATE}`;
/** Ends the message for anything else. */
export const FORMS =
  "Give an Ed25519 public key: PEM (-----BEGIN PUBLIC KEY-----), or its 32 bytes in hex, Base64 or base64url.";
