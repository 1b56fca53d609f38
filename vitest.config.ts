import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/helpers/longestFirst.ts'

/** Continuous integration shares its machine: there, a test fails when it fails twice in a row. */
const retry = process.env.CI ? 1 : 0

export default defineConfig({
  test: {
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{shared,schema,functions,tools,console}/**/*.test.ts', 'test/helpers/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          // one project after the other when both are asked for
          sequence: { groupOrder: 0 },
          retry,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/helpers/bundleWorkers.ts', 'test/helpers/sharedStacksFolder.ts'],
          // Modules are loaded once per worker, and the stack of `useSharedStack` is started once.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // more than processors: much of their time goes by waiting for blocks and deadlines
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          retry,
        },
      },
    ],
  },
})
