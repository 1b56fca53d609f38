import { encodeFunctionData } from 'viem'
import { tokenAbi } from '../chain/contracts/tokenCode.ts'
import { honestTokens, modelTokens, network } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import type { Participant, World } from '../world.ts'
import { fundTrader } from './createMarketTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

/** blocks from one round to the next */
const roundBlocks = 9

/**
 * An honest owner whose standing orders share one balance, or one allowance: each sells all of it, for another token,
 * so that they win in the same auction and only one can settle.
 */
export const createStandingTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const { address: token } = modelTokens.WETH
  const isShared = dice.pick(['balance', 'allowance'] as const)
  const treasury = fundTrader(world, `${name} treasury`, [modelTokens.WETH])
  const account = fundTrader(world, name, isShared === 'allowance' ? [modelTokens.WETH] : [])
  const call = (from: `0x${string}`, functionName: 'approve' | 'transfer', to: `0x${string}`, amount: bigint) =>
    world.transact(from, token, encodeFunctionData({ abi: tokenAbi, functionName, args: [to, amount] }))
  world.give(token, account.address, 0n)
  if (isShared === 'balance') call(account.address, 'approve', network.vaultRelayer, 2n ** 256n - 1n)

  let sellAmount = 0n

  return {
    name,
    act: async (block) => {
      if (block.number % roundBlocks === 2) {
        sellAmount = BigInt(dice.between(100, 2_000)) * 10n ** 15n
        if (isShared === 'balance') call(treasury.address, 'transfer', account.address, sellAmount)
        else call(account.address, 'approve', network.vaultRelayer, sellAmount)
      }
      if (sellAmount === 0n || block.number % roundBlocks !== 3) return
      for (const buy of honestTokens) {
        if (buy.address === token) continue
        const output = estimateOutput(world.chain, block, token, buy.address, sellAmount)
        const buyAmount = (output * BigInt(dice.between(9_600, 9_850))) / 10_000n
        const validTo = Math.floor(world.now() / 1_000) + roundBlocks * network.blockTimeSeconds
        await submitOrder(world, account, { sellToken: token, buyToken: buy.address, sellAmount, buyAmount, validTo })
      }
    },
  }
}
