import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** End-to-end files of more than half a minute, longest first. */
const longest = [
  'hostile/market',
  'consoleStatus',
  'streams',
  'accounts',
  'consoleTrade',
  'consoleFaults',
  'consoleOrders',
  'crash',
  'outage',
  'start',
  'slippage',
  'notifications',
  'browser',
  'diagnosis',
  'reorg',
  'fuzz',
  'competition',
  'hostile/lyingSolvers',
  'fees',
  'limits',
  'interface',
]

/** The longest file of `useSharedStack`: it waits for an order to expire. */
const longestShared = 'trade'

/**
 * Order of test files: long ones first, so that none is left alone at the end; those of `useSharedStack` last, so that no
 * shared stack runs beside another stack of its worker.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const ranks = new Map(sorted.map((file) => [file, findRank(file.moduleId)]))
    return sorted.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
  }
}

const findRank = (file: string): number => {
  const [, name] = file.match(/\/test\/e2e\/(.*)\.test\.ts$/) ?? []
  if (name === undefined) return 0
  const place = longest.indexOf(name)
  if (place >= 0) return place
  if (!readFileSync(file, 'utf8').includes('useSharedStack(')) return longest.length
  return name === longestShared ? longest.length + 1 : longest.length + 2
}
