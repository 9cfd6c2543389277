import { RemovalPolicy } from "aws-cdk-lib";
import type { Stage } from "../stage.ts";

/**
 * What becomes of a resource that holds something worth keeping: it outlives its stack, unless its creation failed and
 * it is still empty. A disposable stage keeps nothing.
 */
export const removalPolicyOf = ({ disposable }: Pick<Stage, "disposable">): RemovalPolicy =>
  disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
