import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { type Gauge, tokensAt } from "./gauges.ts";
import styles from "./market.module.css";

interface GaugeViewProps {
  readonly gauge: Gauge;
  /** The instant that is shown, Unix epoch milliseconds. */
  readonly now: number;
  readonly children: ComponentChildren;
}

/** Below this part of its tokens a gauge is drawn as nearly empty. */
const LOW_PART = 0.3;

/** A bucket of tokens as a gauge, with what it holds in words. */
export function GaugeView({ gauge, now, children }: GaugeViewProps) {
  const id = useId();
  const { name, burst, fillMs } = gauge;
  const tokens = tokensAt(gauge, now);
  const part = tokens / burst;
  const [left, most] = [tokens, burst].map((count) => count.toLocaleString("en"));
  return (
    <div class={`panel ${styles.gauge}`}>
      <div class={`row ${styles.gaugeHead}`}>
        <h3 id={id}>Budget of a {name}</h3>
        {children}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw a <meter> in colours of their own */}
      <div
        class={part < LOW_PART ? `${styles.bar} ${styles.low}` : styles.bar}
        role="meter"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={burst}
        aria-valuenow={tokens}
        aria-valuetext={`${left} of ${most} tokens`}
      >
        <div class={styles.filled} style={{ width: `${100 * part}%` }} />
      </div>
      <p>
        <span class="figures">
          <strong>{left}</strong> of {most} tokens
        </span>
        <span class="soft">, full again within {`${fillMs / 1_000}\u{a0}s`}</span>
      </p>
    </div>
  );
}
