import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listTrackedFiles, root } from '../lint/listTrackedFiles.ts'
import { listTouchedFiles, testsOfFolder } from './listTouchedFiles.ts'

const all = listTrackedFiles().filter((path) => /^test\/e2e\/.*\.test\.ts$/.test(path))

test('a change in a Worker touches the tests about it, and its own test file', () => {
  expect(listTouchedFiles(['functions/affiliate/index.ts'], all)).toEqual([
    'test/e2e/affiliate.test.ts',
    'test/e2e/settings.test.ts',
  ])
  expect(listTouchedFiles(['functions/notifier/index.ts', 'test/e2e/settings.test.ts'], all)).toEqual([
    'test/e2e/notifications.test.ts',
    'test/e2e/settings.test.ts',
  ])
})

test('a change in the console touches every test of it', () => {
  const own = all.filter((path) => path.startsWith('test/e2e/console'))
  expect(listTouchedFiles(['console/main.tsx'], all)).toEqual(expect.arrayContaining(own))
})

test('a change in what all Workers share touches every test', () => {
  for (const path of ['shared/networks.ts', 'schema/tables/orders/orders.ts', 'test/helpers/stack/testStack.ts'])
    expect(listTouchedFiles([path], all)).toEqual(all)
})

test('a change of a text or a unit test touches none', () => {
  expect(listTouchedFiles(['docs/solvers.md', 'README.md', 'shared/networks.test.ts'], all)).toEqual([])
})

test('the table names every Worker and only files that exist', () => {
  const workers = readdirSync(join(root, 'functions'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(workers.map(({ name }) => `functions/${name}/`).filter((folder) => !testsOfFolder[folder])).toEqual([])
  const names = Object.values(testsOfFolder).flat()
  expect(names.filter((name) => !all.includes(`test/e2e/${name}.test.ts`))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['consoleExplorer', 'examples', 'harsh']))
})
