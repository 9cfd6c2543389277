import { readResults } from "../bench/results.ts";
import { marketChart } from "./charts/market-chart.ts";
import { wallsChart } from "./charts/walls-chart.ts";
import { defaultDeployment, SEED } from "./default-deployment.ts";
import { scalingPage } from "./page.ts";
import { MIRRORS, play, wallReport } from "./report.ts";
import { figureOf } from "./workloads.ts";

/** The page about scaling and its charts, by their paths in the project. The same measurements give the same texts. */
export async function scalingFiles(): Promise<Readonly<Record<string, string>>> {
  const results = await readResults();
  const deployment = defaultDeployment();
  const calls = await wallReport(results, deployment);
  const played = await play(results, deployment, SEED);
  return {
    "docs/scaling.md": scalingPage({
      calls,
      played,
      unitsPerThousand: figureOf(results, "page", "write units for 1,000 trades").ours.median,
      // The peer of that measurement sends the same page plain.
      bytesPerThousand: figureOf(results, "page", "bytes to the caller").peer.median,
    }),
    "docs/images/walls.svg": wallsChart(calls),
    "docs/images/hot-market.svg": marketChart(played.slice(0, MIRRORS.length)),
  };
}
