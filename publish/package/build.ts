import { relative } from "node:path";
import { buildPackage } from "./pack.ts";

/** `npm run package`: builds the npm package in this folder, and says where its tarball is and how large both are. */
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const { tarball, tarballBytes, installedBytes } = await buildPackage(import.meta.dirname, (line) =>
  console.log(line),
);
console.log(`${relative("", tarball)}: ${megabytes(tarballBytes)}, ${megabytes(installedBytes)} installed`);
console.log(`Try it in an empty folder: npm install ${tarball} && npx countinghouse`);
