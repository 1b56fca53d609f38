/** Every end-to-end test runs the whole stack: these rows name the tests that are about a folder. */
export const testsOfFolder: Readonly<Record<string, readonly string[]>> = {
  'console/': [
    'consoleAccount',
    'consoleExplorer',
    'consoleFaults',
    'consoleLayout',
    'consoleOrders',
    'consoleStatus',
    'consoleTrade',
    'consoleWallets',
    'edge',
  ],
  'contracts/': ['hooks', 'trade'],
  'examples/': ['solvers'],
  'functions/accounts/': ['listeners', 'notifications'],
  'functions/affiliate/': ['affiliate', 'settings'],
  'functions/auctions/': [
    'competition',
    'ethflow',
    'fees',
    'harsh',
    'hostile/failedSettlements',
    'hostile/isolation',
    'hostile/lyingSolvers',
    'hostile/market',
    'outage',
    'partialFills',
    'recovery',
    'solvers',
    'trade',
    'twoNetworks',
  ],
  'functions/debug/': ['diagnosis', 'simulate'],
  'functions/gateway/': ['badInput', 'edge', 'examples', 'interface', 'publicAnswers', 'settings'],
  'functions/markets/': ['auxiliary', 'harsh'],
  'functions/notifier/': ['notifications'],
  'functions/orders/': ['badInput', 'ether', 'interface', 'partialFills', 'sdk', 'settings', 'trade'],
  'functions/quotes/': ['harsh', 'quoteRules', 'quotes', 'sdk', 'signedQuotes'],
  'functions/solver/': ['coincidence', 'harsh', 'partialFills', 'quotes', 'recovery', 'trade'],
  'functions/status/': ['consoleStatus', 'outage'],
  'functions/streams/': ['listeners'],
  'functions/tokens/': ['auxiliary'],
  'tools/demo': ['start'],
  'tools/deploy': ['deploy'],
  'tools/start.ts': ['fees', 'start'],
}

/** What every end-to-end test is made of. */
const everywhere = ['shared/', 'schema/', 'test/helpers/', 'tools/stack/', 'package.json', 'vitest.config.ts']

/**
 * End-to-end test files that a change touches.
 * @param changed paths from the root of the repository
 * @param all every end-to-end test file
 */
export const listTouchedFiles = (changed: readonly string[], all: readonly string[]): string[] => {
  const sources = changed.filter((path) => !path.endsWith('.md') && (!path.includes('.test.') || all.includes(path)))
  if (sources.some((path) => everywhere.some((part) => path.startsWith(part)))) return [...all]
  const touched = new Set(sources)
  for (const [folder, names] of Object.entries(testsOfFolder)) {
    if (!sources.some((path) => path.startsWith(folder))) continue
    for (const name of names) touched.add(`test/e2e/${name}.test.ts`)
  }
  return all.filter((path) => touched.has(path))
}
