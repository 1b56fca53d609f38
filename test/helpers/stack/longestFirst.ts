import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of more than a quarter of a minute, longest first; end-to-end files without those of `useSharedStack`. */
export const longest: readonly string[] = [
  'test/simulation/faults/deliberateFaults',
  'test/simulation/simulation',
  'functions/auctions/runAuction',
  'schema/queries/affiliate/referredHours.property',
  'functions/auctions/indexing/deepReorganisations',
  'functions/auctions/cutting/agreement.property',
  'functions/auctions/indexing/findChainEvents',
  'schema/queries/networkIsolation',
  'functions/orders/recovery/createKeyRecovery',
  'tools/restore/drillRestore',
  'schema/queries/settlements/accountSurplus',
  'test/e2e/listeners',
  'test/e2e/hostile/market',
  'test/e2e/recovery',
  'test/e2e/outage',
  'test/e2e/start',
  'test/e2e/consoleFaults',
  'test/e2e/consoleTrade',
  'test/e2e/deploy',
  'test/e2e/twoNetworks',
  'test/e2e/consoleStatus',
  'test/e2e/harsh',
  'test/e2e/notifications',
  'test/e2e/quotes',
  'test/e2e/fees',
  'test/e2e/auxiliary',
  'test/e2e/hostile/lyingSolvers',
  'test/e2e/competition',
  'test/e2e/interface',
  'test/e2e/settings',
  'test/e2e/edge',
]

/** The same of the files of `useSharedStack`. */
export const longestShared: readonly string[] = [
  'test/e2e/consoleWallets',
  'test/e2e/ethflow',
  'test/e2e/consoleAccount',
  'test/e2e/consoleOrders',
  'test/e2e/trade',
  'test/e2e/diagnosis',
  'test/e2e/consoleLayout',
  'test/e2e/consoleExplorer',
]

const repository = join(import.meta.dirname, '../../..')

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
  const name = relative(repository, file).replace(/\.test\.ts$/, '')
  const place = longest.indexOf(name)
  if (place >= 0) return place
  if (!readFileSync(file, 'utf8').includes('useSharedStack(')) return longest.length
  const sharedPlace = longestShared.indexOf(name)
  return longest.length + 1 + (sharedPlace >= 0 ? sharedPlace : longestShared.length)
}
