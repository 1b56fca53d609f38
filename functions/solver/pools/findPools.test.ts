import { type Address, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { findPools } from './findPools.ts'

const tokenOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const base = tokenOf(1)
const factories = { uniswapV2Factory: tokenOf(2), uniswapV3Factory: tokenOf(3) }

test('reads each pair within some blocks, however many pairs of more paths there are', async () => {
  const tokens = Array.from({ length: 2_000 }, (_, i) => tokenOf(100 + i))
  const rare = tokenOf(99)
  const paths = [
    ...tokens.flatMap((token) => [
      [token, base],
      [base, token],
    ]),
    [rare, base],
  ]
  let read: unknown[][] = []
  const client = {
    multicall: async ({ contracts }: { contracts: { functionName: string; args: unknown[] }[] }) => {
      if (contracts[0]?.functionName === 'getPair') read = contracts.map(({ args }) => args)
      return contracts.map(() => zeroAddress)
    },
  } as unknown as ChainClient
  const readAt = async (turn: number) => {
    await findPools(client, factories, paths, {}, new Map(), turn)
    return read
  }
  expect(await readAt(7)).toHaveLength(1_000)
  const turns: number[] = []
  for (const turn of [1, 2, 3, 4]) if ((await readAt(turn)).flat().includes(rare)) turns.push(turn)
  expect(turns).toHaveLength(1)
})
