import { expect, test } from 'vitest'
import type { z } from 'zod'
import * as accounts from '../../functions/accounts/settings.ts'
import { programSchema } from '../../functions/affiliate/program.ts'
import * as auctions from '../../functions/auctions/settings.ts'
import * as markets from '../../functions/markets/settings.ts'
import * as streams from '../../functions/streams/settings.ts'
import * as tokens from '../../functions/tokens/settings.ts'
import { settingsTable } from './settingsTable.ts'

const schemas: Record<string, z.ZodType> = {
  accounts: accounts.settingsSchema,
  auctions: auctions.settingsSchema,
  markets: markets.settingsSchema,
  streams: streams.settingsSchema,
  tokens: tokens.settingsSchema,
}

/** Settings of a schema by name, below its refinements and transforms. */
const findSettings = (schema: unknown): Record<string, z.ZodType> => {
  const { shape, def } = schema as { shape?: Record<string, z.ZodType>; def: { in?: unknown; schema?: unknown } }
  return shape ?? findSettings(def.in ?? def.schema)
}

/** A description ends with its default when that is a number or a switch: `…, 10000`, `…, 4000; 20000 at most`. */
const documented = Object.entries(settingsTable).flatMap(([name, { groups, about }]) => {
  const [, value] = /, (\d+|true|false)(?:; .*)?$/.exec(about) ?? []
  return value === undefined ? [] : groups.map((group) => ({ name, group, value }))
})

test.each(documented.filter(({ group }) => group in schemas))(
  'gives $name of $group the default in its description',
  ({ name, group, value }) => {
    // deriving decides whether a deployment has them
    if (name === 'CMS_ENABLED') return
    expect(String(findSettings(schemas[group])[name]?.parse(undefined))).toBe(value)
  },
)

test('describes the defaults of most settings', () => {
  expect(documented.length).toBeGreaterThan(20)
})

test('defaults to the affiliate terms of docs/affiliate.md', () => {
  expect(programSchema.parse(undefined)).toEqual({
    rewardAmount: 20,
    triggerVolume: 250_000,
    timeCapDays: 90,
    volumeCap: 0,
    revenueSplitAffiliatePct: 50,
    revenueSplitTraderPct: 50,
    revenueSplitDaoPct: 0,
  })
})
