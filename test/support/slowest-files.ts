import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;

const secondsOf = (module: TestModule): number => {
  const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  return (prepareDuration + setupDuration + collectDuration + duration) / 1_000;
};

/** Says at the end of a run which files took longest, from their loading to their last hook, by the clock on the wall. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const timed = modules.map((module) => ({ module, seconds: secondsOf(module) }));
    const slowest = timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
    const lines = slowest.map(
      ({ module, seconds }) =>
        `${seconds.toFixed(1).padStart(7)} s  ${path.relative(process.cwd(), module.moduleId)}`,
    );
    console.log(`\nThe ${SHOWN} files that took longest, by the clock on the wall:\n${lines.join("\n")}\n`);
  }
}
