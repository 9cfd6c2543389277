/**
 * The odd primes up to 167 that have a residue which is not a power of 65537. The generator of every affected size of key is
 * built from all primes up to 167, and of the sizes that are accepted here from more.
 */
const PRIMES = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157];
const GENERATOR = 65_537;

/**
 * Whether an RSA modulus was made by the generator of CVE-2017-15361, whose keys can be factored. Modulo each small prime, its
 * primes are powers of 65537, and so is their product (Nemec and others, The Return of Coppersmith's Attack, 2017,
 * section 2). One in a hundred million other moduli looks the same.
 */
export const hasRocaFingerprint = (modulus: bigint): boolean =>
  PRIMES.every((prime) => isPowerOfGenerator(Number(modulus % BigInt(prime)), prime));

function isPowerOfGenerator(residue: number, prime: number): boolean {
  let power = 1;
  do {
    if (power === residue) return true;
    power = (power * GENERATOR) % prime;
  } while (power !== 1);
  return false;
}
