import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { findTopHolders } from './findTopHolders.ts'
import type { HolderOutcome, HolderSource } from './holderSource.ts'

const unknown: HolderOutcome = { status: 'unknown' }
const throttled: HolderOutcome = { status: 'throttled' }
const failed: HolderOutcome = { status: 'failed', reason: 'status 500' }
const listing = (balance: bigint): HolderOutcome => ({
  status: 'holders',
  holders: [{ address: zeroAddress, balance }],
})

const find = async (isToken: boolean | undefined, ...outcomes: HolderOutcome[]) => {
  const queried: string[] = []
  const sources = outcomes.map((outcome, i): HolderSource => {
    const name = 'abc'[i] ?? ''
    const findHolders = async () => {
      queried.push(name)
      return outcome
    }
    return { name, findHolders }
  })
  const deps = { sources, isToken: async () => isToken }
  return { found: await findTopHolders(deps, networks.mainnet, zeroAddress), queried: queried.join('') }
}

test.each<[string, HolderOutcome[], object, string]>([
  ['the first source wins, and no other is queried', [listing(2n), listing(1n)], { ...listing(2n), source: 'a' }, 'a'],
  ['a failure falls through', [failed, listing(2n)], { source: 'b' }, 'ab'],
  ['an unknown token falls through', [unknown, throttled, listing(2n)], { source: 'c' }, 'abc'],
  ['no source has it', [unknown, unknown], unknown, 'ab'],
  ['no source at all', [], unknown, ''],
  ['one does not know it, one fails', [unknown, throttled], { sources: { a: 'unknown', b: 'throttled' } }, 'ab'],
  ['all sources fail', [failed], { status: 'unavailable', sources: { a: 'status 500' } }, 'a'],
])('%s', async (_, outcomes, expected, queried) => {
  const { found, ...rest } = await find(true, ...outcomes)
  expect(found).toMatchObject(expected)
  expect(rest.queried).toBe(queried)
})

test('skips the sources for addresses that are not tokens, but not when the node fails', async () => {
  expect(await find(false, listing(1n))).toEqual({ found: unknown, queried: '' })
  expect(await find(undefined, listing(1n))).toMatchObject({ found: { source: 'a' }, queried: 'a' })
})
