import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderSettings } from './renderSettings.ts'

test('docs/settings.md is what npm run settings writes', async () => {
  expect(await readFile(join(import.meta.dirname, '../../docs/settings.md'), 'utf8')).toBe(renderSettings())
})

test('shows default, unit and Workers of a setting', () => {
  expect(renderSettings()).toContain(
    '| `MAX_GAS_PER_ORDER` | gas that settling one order may take | `8000000` gas | quotes, orders, debug, auctions |',
  )
})
