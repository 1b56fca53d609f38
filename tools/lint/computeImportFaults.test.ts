import { expect, test } from 'vitest'
import { computeImportFaults } from './computeImportFaults.ts'

const faultsOf = (path: string, text: string) => computeImportFaults([{ path, text }])
const load = "import './networks/loadOperatorNetworks.ts'\n"
const other = "import { join } from 'node:path'\n"

test('networks are loaded before any other module', () => {
  expect(faultsOf('tools/x.ts', `/** A command. */\n${load}\n${other}`)).toEqual([])
  expect(faultsOf('tools/x.ts', `import './other.ts'\n${other}`)).toEqual([])
  expect(faultsOf('tools/x.ts', `${other}${load}`)).toEqual([
    "tools/x.ts: import './networks/loadOperatorNetworks.ts' must be the first import, with an empty line after it",
  ])
})

test.each([
  ['shared/a/b.ts', "import { c } from '../c.ts'"],
  ['schema/a.ts', "import type { c } from '#shared/c.ts'"],
  ['functions/orders/a/b.ts', "import { c } from '../c.ts'"],
  ['functions/orders/a.ts', "import { c } from '#schema/c.ts'\nimport { z } from 'zod'"],
  ['console/order/a/b.ts', "import { c } from '../../ui/c.ts'"],
  ['console/status/a.ts', "import { c } from '../../shared/alarms/c.ts'"],
  ['console/app/a.ts', "const c = import('../trade/c.ts')"],
  ['tools/a.ts', "import { c } from '#test/c.ts'"],
])('%s may contain %s', (path, text) => {
  expect(faultsOf(path, text)).toEqual([])
})

test.each([
  ['shared/a.ts', "import type { c } from '#schema/c.ts'"],
  ['shared/a/b.ts', "export { c } from '../../tools/c.ts'"],
  ['schema/a.ts', "import { c } from '../functions/orders/c.ts'"],
  ['functions/orders/a.ts', "import { c } from '../quotes/c.ts'"],
  ['functions/orders/a/b.ts', "type C = import('../../ordersOfOthers/c.ts').C"],
  ['functions/orders/a.ts', "import { sql } from 'drizzle-orm'"],
  ['functions/orders/a.ts', "import { pgTable } from 'drizzle-orm/pg-core'"],
  ['console/api/a.ts', "import { c } from '../browser/c.ts'"],
  ['console/ui/a.ts', "import { c } from '#shared/c.ts'"],
  ['console/order/a.ts', "const c = import('../trade/c.ts')"],
  ['console/status/a.ts', "import { c } from '../../shared/orders/c.ts'"],
  ['console/app/a.ts', "import { c } from '../../shared/alarms/c.ts'"],
])('%s must not contain %s', (path, text) => {
  expect(faultsOf(path, text)).toHaveLength(1)
})
