import { defineConfig } from 'vitest/config'
import { SharedStacksLast } from './test/helpers/stack/sharedStacksLast.ts'

/** Random cases, which take much processor time: they run with the end-to-end tests. */
const propertyTests = '{shared,schema,functions,tools,console}/**/*.property.test.ts'

/** Of the projects whose tests run whole stacks. */
const stacks = {
  globalSetup: [
    'test/helpers/database/server/dropDatabases.ts',
    'test/helpers/stack/bundleWorkers.ts',
    'test/helpers/stack/sharedStacksFolder.ts',
  ],
  // Modules are loaded once per worker, and the stack of `useSharedStack` is started once.
  isolate: false,
  // limits against hangs, which assert nothing about speed: beside other programs a test takes several times as long
  testTimeout: 900_000,
  hookTimeout: 600_000,
}

export default defineConfig({
  test: {
    silent: 'passed-only',
    // Node.js runs the sources as it runs the tools: without a transformation by Vite, and with compiled modules on disk
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: SharedStacksLast },
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: ['test/helpers/database/server/dropDatabases.ts', 'test/helpers/buildShared.ts'],
          include: ['{shared,schema,functions,tools,console}/**/*.test.ts', 'test/{helpers,simulation}/**/*.test.ts'],
          exclude: [propertyTests],
          // Modules are loaded once per worker instead of once per file.
          isolate: false,
          // limits against hangs: property tests take seconds, and a multiple of it where other programs run
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // More than processors, because some tests wait for a deadline. Each further one loads all modules and two databases.
          maxWorkers: 3,
          // one project after the other when several run
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/flows/**/*.test.ts'],
          ...stacks,
          // more than processors: much of their time passes until the next block
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/{e2e,solvers}/**/*.test.ts', propertyTests],
          ...stacks,
          // fewer for the long variants, which measure how soon orders fill
          maxWorkers: process.env.LONG ? 2 : 5,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
