/**
 * The program of the npm package: options alone, or none, start the service as `npm start` does in a clone, or worlds, and
 * anything else is a command as after `npm run ops --`. Only the code of the one that is asked for is loaded.
 */
const [first, ...rest] = process.argv.slice(2);

if (first === undefined || first.startsWith("-")) await serve(process.argv.slice(2));
else if (first === "start") await serve(rest);
else await import("../../ops/main.ts");

async function serve(args: readonly string[]): Promise<void> {
  if (args.includes("--worlds")) await (await import("../worlds/run-worlds.ts")).runWorlds(args);
  else await (await import("../../local/run-start.ts")).runStart(args);
}
