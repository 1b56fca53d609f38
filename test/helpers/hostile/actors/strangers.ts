import { encodeFunctionData, erc20Abi, parseAbi, parseUnits } from 'viem'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import type { CreateActor } from '../arena.ts'

const account = devAccounts[7].address
const factoryAbi = parseAbi(['function getPair(address, address) view returns (address)'])
const pairAbi = parseAbi(['function sync()'])

/** Whole tokens that are about a ten-thousandth of one side of a pool. */
const donations = [
  ['WETH', 'USDC', '1'],
  ['USDC', 'WETH', '3000'],
  ['USDC', 'DAI', '3000'],
  ['DAI', 'USDC', '3000'],
  ['WETH', 'COW', '0.1'],
  ['COW', 'WETH', '1000'],
] as const

/** Moves the price of a pool by about a basis point. */
export const strangers: CreateActor = (arena, dice) => ({
  name: 'strangers',
  pauseMs: [3_000, 8_000],
  act: async () => {
    const [given, other, amount] = dice.pick(donations)
    const { chain, info } = arena.stack
    const [token, decimals] = [arena.token(given), info.tokens[given]?.decimals ?? 18]
    const args = [token, arena.token(other)] as const
    const address = info.contracts.uniswapV2Factory
    const pool = await chain.readContract({ address, abi: factoryAbi, functionName: 'getPair', args })
    const pay = [pool, parseUnits(amount, decimals)] as const
    await arena.send(account, token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: pay }))
    await arena.send(account, pool, encodeFunctionData({ abi: pairAbi, functionName: 'sync' }))
  },
})
