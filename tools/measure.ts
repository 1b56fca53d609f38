import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toTable, toText } from './bench/toTable.ts'
import { readCommand } from './command/readCommand.ts'
import { isSource, listTrackedFiles, root } from './lint/listTrackedFiles.ts'
import { anchors } from './measure/anchors.ts'
import { computeMeasures, type Measures } from './measure/computeMeasures.ts'
import { isBetter, titles } from './measure/measureRows.ts'
import { readShape } from './measure/readShape.ts'

const command = {
  run: 'npm run measure',
  about: `Prints measures of the sources beside those of two well-known code bases.
Exit code 1 when a row is not better than both; only the share of comment lines is not judged.`,
  options: {},
} as const

/** Product folders; what only tests use is counted with the tests. */
const products = ['console/', 'functions/', 'schema/', 'shared/', 'tools/']

const main = (): boolean => {
  readCommand(command)
  const texts = new Map(
    listTrackedFiles()
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
  const paths = [...texts.keys()]
  const sources = paths.filter((path) => isSource(path) && products.some((folder) => path.startsWith(folder)))
  const tests = paths.filter((path) => path.startsWith('test/') || !isSource(path))
  const testLines = tests.reduce((lines, path) => lines + (texts.get(path)?.split('\n').length ?? 1) - 1, 0)
  const own = computeMeasures(
    sources.map((path) => readShape(path, texts.get(path) ?? '')),
    testLines,
  )
  const names = Object.keys(anchors)
  const rows = (Object.keys(titles) as (keyof Measures)[]).map((key) => {
    const others = names.map((name) => anchors[name]?.[key])
    const better = others.every((other) => other === undefined || isBetter(key, own[key], other))
    const cells = [own[key], ...others].map((value) => (value === undefined ? '' : toText(value)))
    return { better, cells: [titles[key], ...cells, better ? '' : 'not better'] }
  })
  console.log(toTable('Sources without tests', [['', 'edgebook', ...names], ...rows.map(({ cells }) => cells)]))
  return rows.every(({ better }) => better)
}

process.exitCode = main() ? 0 : 1
