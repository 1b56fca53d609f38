import { basename, dirname, extname } from 'node:path/posix'
import { countBannedWords } from '../lint/computeWordFaults.ts'
import type { Shape } from './readShape.ts'

/** Measures of a set of sources, tests aside. Shares are percentages. */
export type Measures = ReturnType<typeof computeMeasures>

/** A file above this is long. */
const longLines = 300

/** @param testLines lines of tests and of what only tests use */
export const computeMeasures = (shapes: readonly Shape[], testLines: number) => {
  const sum = (read: (shape: Shape) => number) => shapes.reduce((total, shape) => total + read(shape), 0)
  const lines = sum((shape) => shape.lines)
  const words = shapes.flatMap((shape) => shape.commentWords)
  const perThousand = (read: (shape: Shape) => number) => (sum(read) / lines) * 1_000
  const fileLines = computeSpread(shapes.map((shape) => shape.lines))
  const functions = computeSpread(shapes.map((shape) => shape.topLevelFunctions))
  const functionLines = computeSpread(shapes.flatMap((shape) => shape.functionLines))
  const exports = computeSpread(shapes.map((shape) => shape.exports.length))
  const imports = computeSpread(shapes.map((shape) => shape.imports))
  const exporting = shapes.filter((shape) => shape.exports.length > 0)
  const named = exporting.filter(({ path, exports }) => exports.includes(basename(path, extname(path))))
  const folders = Map.groupBy(shapes, ({ path }) => dirname(path))
  return {
    files: shapes.length,
    lines,
    fileLinesMedian: fileLines.median,
    fileLinesP90: fileLines.p90,
    fileLinesMax: fileLines.max,
    longFiles: shapes.filter((shape) => shape.lines > longLines).length,
    topLevelFunctionsMedian: functions.median,
    topLevelFunctionsP90: functions.p90,
    topLevelFunctionsMax: functions.max,
    functionLinesMedian: functionLines.median,
    functionLinesP90: functionLines.p90,
    functionLinesMax: functionLines.max,
    exportsMedian: exports.median,
    exportsP90: exports.p90,
    exportsMax: exports.max,
    importsMedian: imports.median,
    importsP90: imports.p90,
    importsMax: imports.max,
    commentShare: (sum((shape) => shape.commentLines) / lines) * 100,
    documentedShare: (sum((shape) => shape.documentedFunctions) / sum((shape) => shape.exportedFunctions)) * 100,
    anysPerThousand: perThousand((shape) => shape.anys),
    castsPerThousand: perThousand((shape) => shape.casts),
    nonNullsPerThousand: perThousand((shape) => shape.nonNulls),
    todos: sum((shape) => shape.todos),
    suppressions: sum((shape) => shape.suppressions),
    namedAfterExport: (named.length / exporting.length) * 100,
    testShare: testLines / lines,
    bannedWordsPerTenThousand: (countBannedWords(words.join(' ')) / words.length) * 10_000,
    folderMax: Math.max(...[...folders.values()].map((members) => members.length)),
  }
}

/** Median, 90th percentile and maximum, each one of the values. */
const computeSpread = (values: readonly number[]): { median: number; p90: number; max: number } => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0
  return { median: at(0.5), p90: at(0.9), max: at(1) }
}
