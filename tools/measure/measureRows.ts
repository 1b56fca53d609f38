import type { Measures } from './computeMeasures.ts'

/** Rows of the table, in order. */
export const titles: Record<keyof Measures, string> = {
  files: 'files',
  lines: 'lines',
  fileLinesMedian: 'lines of a file, median',
  fileLinesP90: 'lines of a file, p90',
  fileLinesMax: 'lines of a file, most',
  longFiles: 'files over 300 lines',
  topLevelFunctionsMedian: 'top-level functions of a file, median',
  topLevelFunctionsP90: 'top-level functions of a file, p90',
  topLevelFunctionsMax: 'top-level functions of a file, most',
  functionLinesMedian: 'lines of a function with a body, median',
  functionLinesP90: 'lines of a function with a body, p90',
  functionLinesMax: 'lines of a function with a body, most',
  exportsMedian: 'exported names of a file, median',
  exportsP90: 'exported names of a file, p90',
  exportsMax: 'exported names of a file, most',
  importsMedian: 'imports of a file, median',
  importsP90: 'imports of a file, p90',
  importsMax: 'imports of a file, most',
  commentShare: 'comment lines, %',
  documentedShare: 'exported functions with a doc comment, %',
  anysPerThousand: '`any` per 1,000 lines',
  castsPerThousand: 'casts per 1,000 lines',
  nonNullsPerThousand: 'non-null assertions per 1,000 lines',
  todos: 'TODO, FIXME, HACK',
  suppressions: 'suppressions of lint or types',
  namedAfterExport: 'files named like an exported name, %',
  testShare: 'lines of tests per line of source',
  bannedWordsPerTenThousand: 'banned words per 10,000 words of comments',
  folderMax: 'sources in a folder, most',
}

const unjudged = new Set<keyof Measures>(['files', 'lines', 'commentShare'])
const higherIsBetter = new Set<keyof Measures>(['documentedShare', 'namedAfterExport', 'testShare'])

/** Whether `own` is at least as good as `other`. */
export const isBetter = (key: keyof Measures, own: number, other: number): boolean =>
  unjudged.has(key) || (higherIsBetter.has(key) ? own >= other : own <= other)
