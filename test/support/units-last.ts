import { BaseSequencer, type TestSpecification } from "vitest/node";

const isUnit = ({ moduleId, project }: TestSpecification): boolean =>
  !project.config.isolate && moduleId.includes("/test/unit/");

/** Runs the many short files at the end: while one of the long ones comes to its end, they keep the other cores busy. */
export class UnitsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(isUnit(a)) - Number(isUnit(b)));
  }
}
