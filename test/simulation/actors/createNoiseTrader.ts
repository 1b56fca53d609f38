import { type Address, encodeFunctionData } from 'viem'
import { computeSwapOutput, poolAbi, toReserveKey } from '../chain/contracts/poolCode.ts'
import { toBalanceKey, tokenAbi } from '../chain/contracts/tokenCode.ts'
import { honestTokens, pools, thinPool, toAddress } from '../market.ts'
import type { Participant, World } from '../world.ts'

/** Trades on the pools with a higher tip than any solver, and moves the base fee. */
export const createNoiseTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = toAddress(name)
  const { chain } = world
  const isHonest = (token: Address) => honestTokens.some(({ address }) => address === token)
  const liquid = pools.filter(({ address, tokens }) => address !== thinPool && tokens.every(isHonest))

  return {
    name,
    act: () => {
      if (dice.chance(0.2)) chain.aimBaseFee(BigInt(dice.between(5, 60)) * 10n ** 8n)
      if (!dice.chance(0.3)) return
      const pool = dice.pick(liquid)
      const side = dice.pick([0, 1] as const)
      const [tokenIn, tokenOut] = [pool.tokens[side], pool.tokens[1 - side]] as [Address, Address]
      const [reserveIn, reserveOut] = [side, 1 - side].map((i) =>
        chain.store.get(toReserveKey(pool.address, i as 0 | 1)),
      ) as [bigint, bigint]
      const amountIn = (reserveIn * BigInt(dice.between(1, 40))) / 10_000n
      if (chain.store.get(toBalanceKey(tokenIn, account)) < 10n * amountIn)
        world.give(tokenIn, account, 1_000n * amountIn)
      // less than the pool gives: it may have moved when the swap is mined
      const amountOut = (computeSwapOutput(amountIn, reserveIn, reserveOut) * 98n) / 100n
      const tip = 10n ** 10n
      const transfer = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [pool.address, amountIn] })
      world.transact(account, tokenIn, transfer, { tip })
      const outputs = side === 0 ? ([0n, amountOut] as const) : ([amountOut, 0n] as const)
      const swap = encodeFunctionData({ abi: poolAbi, functionName: 'swap', args: [...outputs, account, '0x'] })
      world.transact(account, pool.address, swap, { tip })
      world.log('noise', { pool: pool.address, tokenIn, tokenOut, amountIn })
    },
  }
}
