import { expect, test } from 'vitest'
import { createTokenBook } from './createTokenBook.ts'

const createBook = (unknown: readonly string[] = []) => {
  const requested: { chainId: number; addresses: string[] }[] = []
  const find = createTokenBook(async (chainId, addresses) => {
    requested.push({ chainId, addresses })
    return addresses.filter((address) => !unknown.includes(address)).map((address) => ({ address, chainId }))
  })
  return { requested, find }
}

test('tokens requested together cost one request per chain, once', async () => {
  const { requested, find } = createBook()
  const found = await Promise.all([find(1, '0xa'), find(1, '0xb'), find(1, '0xa'), find(100, '0xa')])
  expect(found).toEqual([
    { address: '0xa', chainId: 1 },
    { address: '0xb', chainId: 1 },
    { address: '0xa', chainId: 1 },
    { address: '0xa', chainId: 100 },
  ])
  expect(await find(1, '0xb')).toEqual({ address: '0xb', chainId: 1 })
  expect(requested).toEqual([
    { chainId: 1, addresses: ['0xa', '0xb'] },
    { chainId: 100, addresses: ['0xa'] },
  ])
})

test('requests unknown tokens again', async () => {
  const { requested, find } = createBook(['0xa'])
  expect(await find(1, '0xa')).toBeUndefined()
  expect(await find(1, '0xa')).toBeUndefined()
  expect(requested).toHaveLength(2)
})

test('requests at most 100 tokens at once', async () => {
  const { requested, find } = createBook()
  await Promise.all(Array.from({ length: 250 }, (_, i) => find(1, `0x${i}`)))
  expect(requested.map(({ addresses }) => addresses.length)).toEqual([100, 100, 50])
})
