import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listTrackedFiles, root } from '../lint/listTrackedFiles.ts'
import { longTests } from './longTests.ts'

test('every test file that knows the long run is in it, once, and each of its steps has one', () => {
  const known = listTrackedFiles().filter(
    (path) =>
      path.endsWith('.test.ts') && /process\.env\.(LONG|FUZZ_COUNT)\b/.test(readFileSync(join(root, path), 'utf8')),
  )
  const listed = longTests.flat().flatMap(({ files }) => files)
  for (const path of known) expect([path, listed.filter((start) => path.startsWith(start)).length]).toEqual([path, 1])
  expect(listed.filter((start) => !known.some((path) => path.startsWith(start)))).toEqual([])
})
