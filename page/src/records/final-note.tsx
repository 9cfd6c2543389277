import { RESET_ADDRESS } from "../overview/reset-demo.tsx";
import { Notice } from "../parts/notice.tsx";

/** Says that a record has come to its end, and where to go from there. */
export const FinalNote = ({ state }: { readonly state: string }) => (
  <Notice tone="info">
    {state} is final. Choose another record in the list above, or <a href={RESET_ADDRESS}>reset the demo</a>.
  </Notice>
);
