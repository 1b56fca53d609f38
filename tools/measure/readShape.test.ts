import { expect, test } from 'vitest'
import { computeMeasures } from './computeMeasures.ts'
import { readShape } from './readShape.ts'

const text = `import { a } from './a.ts'
/** Doubles ${'no'}body. */
export const double = (n: number): number => {
  return n * 2
}
// TODO one day
export function half(n: any) {
  const cast = n as string
  return (cast as const)!.length
}
const local = () => 1
`

test('counts what a source consists of', () => {
  expect(readShape('shared/double.ts', text)).toMatchObject({
    lines: 11,
    commentLines: 2,
    exports: ['double', 'half'],
    imports: 1,
    topLevelFunctions: 3,
    functionLines: [3, 4],
    exportedFunctions: 2,
    documentedFunctions: 1,
    anys: 1,
    casts: 1,
    nonNulls: 1,
    todos: 1,
    suppressions: 0,
  })
})

test('computes shares of all sources', () => {
  const shapes = [readShape('shared/double.ts', text), readShape('shared/b/other.ts', 'export const c = 1\n')]
  expect(computeMeasures(shapes, 24)).toMatchObject({
    files: 2,
    lines: 12,
    fileLinesMedian: 1,
    fileLinesMax: 11,
    documentedShare: 50,
    namedAfterExport: 50,
    testShare: 2,
    bannedWordsPerTenThousand: 10_000 / 5,
    folderMax: 1,
  })
})
