import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs the files of `useSharedStack` last, so that no shared stack runs beside another stack of its worker. */
export class SharedStacksLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const shared = new Set(sorted.filter(({ moduleId }) => readFileSync(moduleId, 'utf8').includes('useSharedStack(')))
    return [...sorted.filter((file) => !shared.has(file)), ...shared]
  }
}
