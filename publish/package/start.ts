/** The program of the npm package that starts the service, as `npm start` does in a clone, or worlds. */
const [first, ...rest] = process.argv.slice(2);
const args = first === "start" ? rest : process.argv.slice(2);

if (args.includes("--worlds")) await (await import("../worlds/run-worlds.ts")).runWorlds(args);
else await (await import("../../local/run-start.ts")).runStart(args);
