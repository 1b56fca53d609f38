/** Environment of the long variants. */
export const longVariables = { LONG: '1', FUZZ_COUNT: '100000', SIMULATION_SECONDS: '600' }

/**
 * Test files with a long variant, or their folder: stages of steps that run side by side. The market of half an hour has only files beside it
 * whose chains wait for their auctions, as its own does: others would take the processors from its solvers.
 */
export const longTests: readonly (readonly { name: string; files: readonly string[] }[])[] = [
  [
    {
      name: 'unit',
      files: [
        'functions/auctions/cutting/agreement.property.test.ts',
        'functions/auctions/cutting/agreement.test.ts',
        'functions/solver/settling/advanceSubmissions.property.test.ts',
        'functions/affiliate/index.test.ts',
        'schema/queries/',
        'test/simulation/simulation.test.ts',
        'tools/migrations/onlineMigrations.test.ts',
      ],
    },
    {
      name: 'end-to-end',
      files: [
        'test/e2e/interface.test.ts',
        'test/e2e/listeners.test.ts',
        'test/e2e/outage.test.ts',
        'test/e2e/notifications.test.ts',
        'test/e2e/soak.test.ts',
        'test/e2e/recovery.test.ts',
        'test/e2e/deploy.test.ts',
        'test/e2e/foreignChain.test.ts',
        'test/e2e/hostile/failedSettlements.test.ts',
      ],
    },
  ],
  [
    {
      name: 'market',
      files: ['test/e2e/hostile/market.test.ts', 'test/e2e/harsh.test.ts'],
    },
  ],
]
