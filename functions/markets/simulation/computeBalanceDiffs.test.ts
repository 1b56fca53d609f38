import { type Address, type Hex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { computeBalanceDiffs } from './computeBalanceDiffs.ts'

const transfer: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const [token, wrapped]: Address[] = [`0x${'70'.repeat(20)}`, `0x${'80'.repeat(20)}`]
const [from, to]: Address[] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`]
const word = (value: Hex): Hex => `0x${value.slice(2).padStart(64, '0')}`
const topics = [transfer, word(from as Hex), word(to as Hex)]

const diffOf = (log: { topics: Hex[]; data: Hex }) =>
  computeBalanceDiffs([[{ address: token as Address, ...log }]], wrapped as Address)

test('a transfer of one word moves its amount', () => {
  expect(diffOf({ topics, data: toHex(7n, { size: 32 }) })).toEqual([
    { [from as Hex]: { [token as Hex]: '-7' }, [to as Hex]: { [token as Hex]: '7' } },
  ])
})

test.each<[string, { topics: Hex[]; data: Hex }]>([
  ['without data', { topics, data: '0x' }],
  ['with less than a word', { topics, data: '0x07' }],
  ['with two words', { topics, data: toHex(7n, { size: 64 }) }],
  ['with a fourth topic, as of a collectible', { topics: [...topics, word('0x01')], data: toHex(7n, { size: 32 }) }],
  ['without accounts', { topics: [transfer], data: toHex(7n, { size: 32 }) }],
])('an event of a hostile token %s moves nothing', (_name, log) => {
  expect(diffOf(log)).toEqual([{}])
})
